import { CreateAiEngine1766000000000 } from '../../../migrations/1766000000000-create-ai-engine';
import { KeepIdOfAiSettings1766000100000 } from '../../../migrations/1766000100000-keep-id-of-ai-settings';
import { defineArea } from '../../platform/area/area';
import { ApplyPrediction, applyPrediction } from './automation/apply-prediction.action';
import { AiEngineModule } from './ai-engine.module';
import { aiModelResource } from './models/ai-model.resource';
import { aiPredictionResource } from './predictions/prediction.resource';
import { TicketEvents } from './predictions/ticket-events';
import { aiSettingsResource } from './settings/ai-settings.resource';

/** What is predicted of tickets, by models that are made of the tickets of the workspace itself. */
export const aiEngineArea = defineArea({
  name: 'ai-engine',
  module: AiEngineModule,
  resources: [aiSettingsResource, aiModelResource, aiPredictionResource],
  migrations: [CreateAiEngine1766000000000, KeepIdOfAiSettings1766000100000],
  permissions: [
    {
      name: 'ai-engine.read',
      description: 'See predictions, models, metrics and settings of the AI engine.',
      from: 'light_agent',
    },
    {
      name: 'ai-engine.create',
      description: 'Ask the AI engine for predictions, passages, replies and summaries.',
      from: 'agent',
    },
    { name: 'ai-engine.update', description: 'Review predictions.', from: 'agent' },
    { name: 'ai-engine.train', description: 'Have models made.', from: 'admin' },
    { name: 'ai-engine.configure', description: 'Change the settings of the AI engine.', from: 'admin' },
  ],
  events: {
    domain: 'ai',
    label: 'AI engine',
    events: {
      'ticket.predicted': 'Something was predicted of a ticket; `data.predictions` says what.',
      'ai_settings.updated': 'The settings of the AI engine were changed.',
      'ai_model.created': 'Somebody asked for a model to be made.',
      'ai_model.trained': 'A model is ready; predictions are made by it from now on.',
      'ai_model.abstained': 'No model was made: there are too few closed tickets to learn from.',
      'ai_model.failed': 'A model could not be made.',
      'ai_prediction.created': 'Something was predicted of a ticket, or the engine abstained.',
      'ai_prediction.applied': 'An automation set a ticket to what was predicted.',
      'ai_prediction.expired': 'A newer prediction took the place of another one.',
      'ai_prediction.reviewed': 'Somebody said whether a prediction was right.',
    },
    aliases: {
      'ai.prediction_created': 'ai_prediction.created',
      'ai.prediction_reviewed': 'ai_prediction.reviewed',
    },
  },
  triggers: ['ticket.predicted'],
  actions: [applyPrediction],
  performers: [ApplyPrediction],
  consumers: [TicketEvents],
  tags: [
    {
      name: 'AI engine',
      place: 175,
      description:
        'Predictions of what tickets are, by models made of the tickets of the workspace; how good they are.',
    },
  ],
});
