import { conditionFilter } from '../../platform/query/filters';
import { seenThroughAny } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { Attachment } from './attachment.entity';

export const attachmentResource = defineResource(Attachment, {
  name: 'attachments',
  singular: 'attachment',
  table: 'attachments',
  sort: {
    filename: { column: 'filename', type: 'text' },
    size: { column: 'size', type: 'integer' },
  },
  filter: [
    ...(['ticket_id', 'comment_id', 'article_id', 'quote_id', 'message_id', 'user_id'] as const),
    ...(['content_type', 'sha256', 'is_inline'] as const),
  ],
  where: {
    attached: conditionFilter('Whether it hangs on a record.', (alias) => `NOT ${unattached(alias)}`),
  },
  expand: {
    ticket: { one: 'tickets', by: 'ticket_id' },
    comment: { one: 'ticket_comments', by: 'comment_id' },
    article: { one: 'kb_articles', by: 'article_id' },
    quote: { one: 'quotes', by: 'quote_id' },
    message: { one: 'channel_messages', by: 'message_id' },
    user: { one: 'users', by: 'user_id' },
  },
  sight: {
    rows: (sight, alias) => {
      const own = `(NOT ${unattached(alias)} OR ${alias}.sent_by = {me})`;
      const through = throughHolders(sight, alias);
      return through === null ? own : `(${own} AND ${through})`;
    },
  },
});

const throughHolders = seenThroughAny({
  ticket_id: 'tickets',
  article_id: 'kb_articles',
  quote_id: 'quotes',
  message_id: 'channel_messages',
  user_id: 'users',
});

/** SQL condition: no record has named the file. */
export function unattached(alias: string): string {
  return `(${alias}.ticket_id IS NULL AND ${alias}.article_id IS NULL AND ${alias}.quote_id IS NULL AND ${alias}.message_id IS NULL AND ${alias}.user_id IS NULL)`;
}
