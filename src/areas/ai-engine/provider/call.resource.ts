import { defineResource } from '../../../platform/resource/resource';
import { AiCall } from './call.entity';

export const aiCallResource = defineResource(AiCall, {
  name: 'ai_calls',
  singular: 'ai_call',
  called: { one: 'AI call', many: 'AI calls' },
  table: 'ai_calls',
  told: null,
  log: true,
  sort: {},
  filter: ['failure', 'model'],
});
