import { seenThrough } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { ThreadMessage } from './message.entity';

/** Its conversation tells of a message, as tickets do of comments. */
export const messageResource = defineResource(ThreadMessage, {
  name: 'channel_messages',
  singular: 'channel_message',
  table: 'channel_messages',
  told: null,
  sort: {},
  filter: ['channel_id', 'thread_id', 'contact_id', 'direction', 'status', 'author_type', 'external_message_id'],
  search: { view: 'channel_messages_search', over: ['body'] },
  expand: {
    thread: { one: 'channel_threads', by: 'thread_id' },
    contact: { one: 'contacts', by: 'contact_id' },
    reply_to: { one: 'channel_messages', by: 'reply_to_id' },
  },
  sight: { rows: seenThrough('channel_threads', 'thread_id') },
});
