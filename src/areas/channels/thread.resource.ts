import { seenRecord, seenThroughAny } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { ChannelThread } from './thread.entity';

const seenTicket = seenThroughAny({ ticket_id: 'tickets' });

export const threadResource = defineResource(ChannelThread, {
  name: 'channel_threads',
  singular: 'channel_thread',
  table: 'channel_threads',
  sort: { last_message_at: { column: 'last_message_at', type: 'timestamptz', nullable: true } },
  defaultSort: '-last_message_at',
  filter: ['channel_id', 'contact_id', 'ticket_id', 'assigned_to', 'status'],
  expand: {
    channel: { one: 'channels', by: 'channel_id' },
    contact: { one: 'contacts', by: 'contact_id' },
    ticket: { one: 'tickets', by: 'ticket_id' },
    assignee: { one: 'users', by: 'assigned_to' },
  },
  notice: { path: '/teams/threads', title: ['subject', 'peer_name'] },
  sight: {
    // A ticket beyond one's sight takes its conversation along.
    rows: (sight, thread) => {
      const channel = seenRecord('channels', `${thread}.channel_id`, `${thread}.workspace_id`, sight);
      const conditions = [channel, seenTicket(sight, thread)].filter((each) => each !== null);
      return conditions.length === 0 ? null : `(${conditions.join(' AND ')})`;
    },
  },
});
