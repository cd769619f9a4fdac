import { boundFilter } from '../../../platform/query/filters';
import { seenThrough } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { AiPrediction } from './prediction.entity';

export const aiPredictionResource = defineResource(AiPrediction, {
  name: 'ai_predictions',
  singular: 'ai_prediction',
  called: { one: 'AI prediction', many: 'AI predictions' },
  table: 'ai_predictions',
  sort: { confidence: { column: 'confidence', type: 'numeric', nullable: true } },
  filter: ['task', 'ticket_id', 'status', 'was_correct', 'method', 'model_id'],
  where: {
    confidence_min: boundFilter('confidence', '>='),
    confidence_max: boundFilter('confidence', '<='),
  },
  sight: { rows: seenThrough('tickets', 'ticket_id') },
  expand: { ticket: { one: 'tickets', by: 'ticket_id' }, model: { one: 'ai_models', by: 'model_id' } },
});
