import { CreateAiEngine1766000000000 } from '../../../migrations/1766000000000-create-ai-engine';
import { KeepIdOfAiSettings1766000100000 } from '../../../migrations/1766000100000-keep-id-of-ai-settings';
import { CreateAiConversations1766400000000 } from '../../../migrations/1766400000000-create-ai-conversations';
import { AnswerInTickets1766500000000 } from '../../../migrations/1766500000000-answer-in-tickets';
import { PredictBreaches1766600000000 } from '../../../migrations/1766600000000-predict-breaches';
import { AnswerByProviders1767210000000 } from '../../../migrations/1767210000000-answer-by-providers';
import { PredictTagsAndIntents1767200000000 } from '../../../migrations/1767200000000-predict-tags-and-intents';
import { AskProviders1766700000000 } from '../../../migrations/1766700000000-ask-providers';
import { CompleteTheAiEngine1768200000000 } from '../../../migrations/1768200000000-complete-the-ai-engine';
import { LearnBreaches1768600000000 } from '../../../migrations/1768600000000-learn-breaches';
import { TellConfidenceByReviews1768750000000 } from '../../../migrations/1768750000000-tell-confidence-by-reviews';
import { DuplicatesAreNamed1768990000000 } from '../../../migrations/1768990000000-duplicates-are-named';
import { AnswerInChats1767400000000 } from '../../../migrations/1767400000000-answer-in-chats';
import { defineArea } from '../../platform/area/area';
import { AiReply, aiReply } from './automation/ai-reply.action';
import { ApplyPrediction, applyPrediction } from './automation/apply-prediction.action';
import { AiEngineModule } from './ai-engine.module';
import { aiConversationResource } from './conversations/conversation.resource';
import { aiMessageResource } from './conversations/message.resource';
import { Replying } from './conversations/replying';
import { aiModelResource } from './models/ai-model.resource';
import { aiPredictionResource } from './predictions/prediction.resource';
import { TicketEvents } from './predictions/ticket-events';
import { aiCallResource } from './provider/call.resource';
import { aiSettingsResource } from './settings/ai-settings.resource';
import { aiEnginePersonal } from './ai-engine.personal';

/** What is predicted of tickets, by models that are made of the tickets of the workspace itself. */
export const aiEngineArea = defineArea({
  name: 'ai-engine',
  module: AiEngineModule,
  resources: [
    aiSettingsResource,
    aiModelResource,
    aiPredictionResource,
    aiConversationResource,
    aiMessageResource,
    aiCallResource,
  ],
  migrations: [
    CreateAiEngine1766000000000,
    KeepIdOfAiSettings1766000100000,
    CreateAiConversations1766400000000,
    AnswerInTickets1766500000000,
    PredictBreaches1766600000000,
    AskProviders1766700000000,
    PredictTagsAndIntents1767200000000,
    AnswerByProviders1767210000000,
    AnswerInChats1767400000000,
    CompleteTheAiEngine1768200000000,
    LearnBreaches1768600000000,
    TellConfidenceByReviews1768750000000,
    DuplicatesAreNamed1768990000000,
  ],
  personal: aiEnginePersonal,
  permissions: [
    {
      name: 'ai-engine.read',
      description: 'See predictions, conversations, models, metrics and settings of the AI engine.',
      from: 'light_agent',
    },
    {
      name: 'ai-engine.create',
      description: 'Ask the AI engine for predictions, passages, replies and summaries; begin conversations.',
      from: 'agent',
    },
    {
      name: 'ai-engine.update',
      description: 'Review predictions; go on with conversations, hand them over, rate them.',
      from: 'agent',
    },
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
      'ai_model.drifted': 'What a model predicts has become worse than it said of itself.',
      'ai_model.failed': 'A model could not be made.',
      'ai_prediction.created': 'Something was predicted of a ticket, or the engine abstained.',
      'ai_prediction.applied': 'An automation set a ticket to what was predicted.',
      'ai_prediction.expired': 'A newer prediction took the place of another one.',
      'ai_prediction.reviewed': 'Somebody said whether a prediction was right.',
      'ticket.handed_over': 'A person takes over from the AI engine; `data.conversation` says why.',
      'ai_conversation.created': 'A customer began a conversation with the AI engine.',
      'ai_conversation.replied': 'The AI engine answered, or asked back; `action` says which.',
      'ai_conversation.handed_over': 'A person takes over a conversation.',
      'ai_conversation.messaged': 'The customer wrote again after a person had taken over.',
      'ai_conversation.resolved': 'A conversation was resolved, as the customer said or as their silence says.',
      'ai_conversation.reopened': 'A customer came back after a conversation was resolved: it does not count as such.',
      'ai_conversation.abandoned': 'A customer left without an answer.',
      'ai_conversation.rated': 'The customer said what they think of a conversation.',
    },
    aliases: {
      'ai.predicted': 'ticket.predicted',
      'ai.handover': 'ticket.handed_over',
      'ai.conversation_started': 'ai_conversation.created',
      'ai.conversation_replied': 'ai_conversation.replied',
      'ai.conversation_resolved': 'ai_conversation.resolved',
      'ai.conversation_handed_over': 'ai_conversation.handed_over',
      'ai.prediction_created': 'ai_prediction.created',
      'ai.prediction_reviewed': 'ai_prediction.reviewed',
    },
    beside: {
      'ticket.predicted': {
        predictions: [{ id: 17, task: 'priority', value: 'high', label: 'high', confidence: 0.91 }],
      },
      'ticket.handed_over': { conversation: { id: 17, reason: 'low_confidence', turns: 3, answers: 1 } },
    },
  },
  triggers: ['ticket.predicted', 'ticket.handed_over'],
  actions: [applyPrediction, aiReply],
  performers: [ApplyPrediction, AiReply],
  consumers: [TicketEvents, Replying],
  tags: [
    {
      name: 'AI engine',
      place: 175,
      description:
        'Predictions of what tickets are, by models made of the tickets of the workspace; conversations that it answers; how good it is.',
    },
  ],
});
