import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { ChannelsModule } from '../channels/channels.module';
import { ContactsModule } from '../contacts/contacts.module';
import { OutboundModule } from '../../platform/outbound/outbound.module';
import { TicketsModule } from '../tickets/tickets.module';
import { AnswersController } from './answers/answers.controller';
import { AnswersService } from './answers/answers.service';
import { AiReply } from './automation/ai-reply.action';
import { ApplyPrediction } from './automation/apply-prediction.action';
import { Answering } from './conversations/answering';
import { aiConversationResource } from './conversations/conversation.resource';
import { ChatReplies } from './conversations/chat-replies';
import { ConversationsController } from './conversations/conversations.controller';
import { ConversationsService } from './conversations/conversations.service';
import { HandingOver } from './conversations/handing-over';
import { IdleConversations } from './conversations/idle-conversations';
import { MessageRedaction } from './conversations/message-redaction';
import { aiMessageResource } from './conversations/message.resource';
import { TicketReplies } from './conversations/ticket-replies';
import { TicketTurns } from './conversations/ticket-turns';
import { WrittenAnswers } from './conversations/written-answers';
import { AnswerStreams } from './streaming/answer-streams';
import { Replying } from './conversations/replying';
import { GapsController } from './gaps/gaps.controller';
import { GapsService } from './gaps/gaps.service';
import { MetricsController } from './metrics/metrics.controller';
import { MetricsService } from './metrics/metrics.service';
import { aiModelResource } from './models/ai-model.resource';
import { AiModelsController } from './models/ai-models.controller';
import { LoadedModels } from './models/loaded-models';
import { AskedTickets } from './predictions/asked-tickets';
import { Backfill } from './predictions/backfill.service';
import { Labels } from './predictions/labels';
import { BreachPredictor } from './predictions/breach-predictor';
import { LearntPredictor } from './predictions/learnt-predictor';
import { Outcomes } from './predictions/outcomes';
import { aiPredictionResource } from './predictions/prediction.resource';
import { Neighbours } from './predictions/neighbours';
import { PredictionsController } from './predictions/predictions.controller';
import { PredictionsService } from './predictions/predictions.service';
import { TicketEvents } from './predictions/ticket-events';
import { TicketPredictors } from './predictions/ticket-predictors';
import { aiCallResource } from './provider/call.resource';
import { AiCallsController } from './provider/calls.controller';
import { ChatExchange } from './provider/chat-exchange';
import { ChatProvider } from './provider/chat-provider';
import { RetrievalController } from './retrieval/retrieval.controller';
import { ArticleSource } from './retrieval/article-source';
import { RetrievalService } from './retrieval/retrieval.service';
import { SnippetSource } from './retrieval/snippet-source';
import { Spelling } from './retrieval/spelling';
import { TicketSource } from './retrieval/ticket-source';
import { WordCounts } from './retrieval/word-counts';
import { AiSettingsController } from './settings/ai-settings.controller';
import { aiSettingsResource } from './settings/ai-settings.resource';
import { AiSettingsService } from './settings/ai-settings.service';
import { SettingsTest } from './settings/settings-test';
import { DriftedModels } from './training/drifted-models';
import { Trainer } from './training/trainer';
import { TrainingDue } from './training/training-due';
import { Training } from './training/training.service';

@Module({
  imports: [
    StoreModule.forFeature(
      aiSettingsResource,
      aiModelResource,
      aiPredictionResource,
      aiConversationResource,
      aiMessageResource,
      aiCallResource,
    ),
    ChannelsModule,
    ContactsModule,
    OutboundModule,
    TicketsModule,
  ],
  controllers: [
    AiSettingsController,
    AiModelsController,
    PredictionsController,
    RetrievalController,
    AnswersController,
    ConversationsController,
    GapsController,
    AiCallsController,
    MetricsController,
  ],
  providers: [
    AiSettingsService,
    SettingsTest,
    LoadedModels,
    Training,
    Trainer,
    TrainingDue,
    DriftedModels,
    AskedTickets,
    Labels,
    Outcomes,
    LearntPredictor,
    Neighbours,
    TicketPredictors,
    BreachPredictor,
    PredictionsService,
    TicketEvents,
    ArticleSource,
    TicketSource,
    SnippetSource,
    RetrievalService,
    WordCounts,
    Spelling,
    AnswersService,
    Answering,
    HandingOver,
    ConversationsService,
    IdleConversations,
    MessageRedaction,
    TicketReplies,
    TicketTurns,
    WrittenAnswers,
    AnswerStreams,
    ChatReplies,
    Replying,
    GapsService,
    ChatExchange,
    ChatProvider,
    Backfill,
    AiReply,
    MetricsService,
    ApplyPrediction,
  ],
})
export class AiEngineModule {}
