import { seenThrough } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { TicketFollower } from './follower.entity';

export const followerResource = defineResource(TicketFollower, {
  name: 'ticket_followers',
  singular: 'ticket_follower',
  table: 'ticket_followers',
  told: null,
  sort: {},
  defaultSort: 'created_at',
  filter: ['user_id', 'reason'],
  expand: { user: { one: 'users', by: 'user_id' } },
  sight: { rows: seenThrough('tickets', 'ticket_id') },
  log: true,
});
