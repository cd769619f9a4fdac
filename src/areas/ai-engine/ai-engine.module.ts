import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { TicketsModule } from '../tickets/tickets.module';
import { AnswersController } from './answers/answers.controller';
import { AnswersService } from './answers/answers.service';
import { ApplyPrediction } from './automation/apply-prediction.action';
import { MetricsController } from './metrics/metrics.controller';
import { MetricsService } from './metrics/metrics.service';
import { aiModelResource } from './models/ai-model.resource';
import { AiModelsController } from './models/ai-models.controller';
import { LoadedModels } from './models/loaded-models';
import { AskedTickets } from './predictions/asked-tickets';
import { Labels } from './predictions/labels';
import { LearntPredictor } from './predictions/learnt-predictor';
import { aiPredictionResource } from './predictions/prediction.resource';
import { PredictionsController } from './predictions/predictions.controller';
import { PredictionsService } from './predictions/predictions.service';
import { TicketEvents } from './predictions/ticket-events';
import { TicketPredictors } from './predictions/ticket-predictors';
import { RetrievalController } from './retrieval/retrieval.controller';
import { RetrievalService } from './retrieval/retrieval.service';
import { AiSettingsController } from './settings/ai-settings.controller';
import { aiSettingsResource } from './settings/ai-settings.resource';
import { AiSettingsService } from './settings/ai-settings.service';
import { Trainer } from './training/trainer';
import { TrainingDue } from './training/training-due';
import { Training } from './training/training.service';

@Module({
  imports: [StoreModule.forFeature(aiSettingsResource, aiModelResource, aiPredictionResource), TicketsModule],
  controllers: [
    AiSettingsController,
    AiModelsController,
    PredictionsController,
    RetrievalController,
    AnswersController,
    MetricsController,
  ],
  providers: [
    AiSettingsService,
    LoadedModels,
    Training,
    Trainer,
    TrainingDue,
    AskedTickets,
    Labels,
    LearntPredictor,
    TicketPredictors,
    PredictionsService,
    TicketEvents,
    RetrievalService,
    AnswersService,
    MetricsService,
    ApplyPrediction,
  ],
})
export class AiEngineModule {}
