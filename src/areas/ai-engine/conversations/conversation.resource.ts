import { boundFilter, momentFilter } from '../../../platform/query/filters';
import { seenThroughAny } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { outcomeFilter } from './conversation-outcome';
import { AiConversation } from './conversation.entity';

export const aiConversationResource = defineResource(AiConversation, {
  name: 'ai_conversations',
  singular: 'ai_conversation',
  called: { one: 'AI conversation', many: 'AI conversations' },
  table: 'ai_conversations',
  sort: {
    started_at: { column: 'started_at', type: 'timestamptz' },
    last_activity_at: { column: 'last_activity_at', type: 'timestamptz' },
    turns: { column: 'turns', type: 'integer' },
    confidence: { column: 'confidence', type: 'numeric', nullable: true },
    csat_score: { column: 'csat_score', type: 'integer', nullable: true },
  },
  filter: ['status', 'handover_reason', 'channel', 'language', 'ticket_id', 'contact_id', 'thread_id', 'csat_score'],
  where: {
    outcome: outcomeFilter,
    confidence_min: boundFilter('confidence', '>='),
    confidence_max: boundFilter('confidence', '<='),
    started_after: momentFilter('started_at', '>'),
    started_before: momentFilter('started_at', '<'),
  },
  sight: { rows: seenThroughAny({ ticket_id: 'tickets', thread_id: 'channel_threads' }) },
  expand: {
    ticket: { one: 'tickets', by: 'ticket_id' },
    contact: { one: 'contacts', by: 'contact_id' },
    thread: { one: 'channel_threads', by: 'thread_id' },
    messages: { many: 'ai_messages', by: 'conversation_id', limit: 100, order: 'created_at' },
  },
});
