import { defineResource } from '../../../platform/resource/resource';
import { AiCall } from './call.entity';

export const aiCallResource = defineResource(AiCall, {
  name: 'ai_calls',
  singular: 'ai_call',
  table: 'ai_calls',
  told: null,
  log: true,
  sort: {},
  filter: ['failure', 'model'],
});
