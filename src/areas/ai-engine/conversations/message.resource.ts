import { seenThrough } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { AiMessage } from './message.entity';

export const aiMessageResource = defineResource(AiMessage, {
  name: 'ai_messages',
  singular: 'ai_message',
  called: { one: 'AI message', many: 'AI messages' },
  table: 'ai_messages',
  told: null,
  log: true,
  sort: {},
  defaultSort: 'created_at',
  filter: ['role', 'action'],
  sight: { rows: seenThrough('ai_conversations', 'conversation_id') },
});
