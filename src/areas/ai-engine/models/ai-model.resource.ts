import { defineResource } from '../../../platform/resource/resource';
import { AiModel } from './ai-model.entity';

export const aiModelResource = defineResource(AiModel, {
  name: 'ai_models',
  singular: 'ai_model',
  called: { one: 'AI model', many: 'AI models' },
  table: 'ai_models',
  sort: {},
  filter: ['task', 'status'],
});
