import type { FilterSpec } from '../../platform/query/filters';
import { wholeNumber } from '../../platform/query/values';
import { seenThrough } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { ThreadMessage } from './message.entity';

/** Messages on one side of another one of theirs, by their ids; 0 is ahead of all. */
const position = (side: 'before' | 'after', operator: '<' | '>'): FilterSpec<number> => ({
  schema: { type: 'integer', format: 'int64', minimum: 0 },
  description: `Id of a message: those ${side} it.`,
  parse: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  sql: (message, id, bind) => `${message}.id ${operator} ${bind(id)}::bigint`,
});

/** Its conversation tells of a message, as tickets do of comments. */
export const messageResource = defineResource(ThreadMessage, {
  name: 'channel_messages',
  singular: 'channel_message',
  table: 'channel_messages',
  told: null,
  sort: {},
  counters: ['channel_id'],
  filter: ['channel_id', 'thread_id', 'contact_id', 'direction', 'status', 'author_type', 'external_message_id'],
  where: {
    before_id: position('before', '<'),
    after_id: position('after', '>'),
  },
  search: { view: 'channel_messages_search', over: ['body'] },
  expand: {
    thread: { one: 'channel_threads', by: 'thread_id' },
    contact: { one: 'contacts', by: 'contact_id' },
    reply_to: { one: 'channel_messages', by: 'reply_to_id' },
  },
  sight: { rows: seenThrough('channel_threads', 'thread_id') },
});
