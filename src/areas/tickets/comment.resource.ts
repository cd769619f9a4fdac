import { seenThrough } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { TicketComment } from './comment.entity';

export const commentResource = defineResource(TicketComment, {
  name: 'ticket_comments',
  singular: 'ticket_comment',
  table: 'ticket_comments',
  told: null,
  sort: {},
  defaultSort: 'created_at',
  filter: ['is_internal', 'author_type', 'author_id'],
  sight: { rows: seenThrough('tickets', 'ticket_id') },
});
