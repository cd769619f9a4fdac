import { seenThrough } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { TicketLink } from './link.entity';

const SEEN_HERE = seenThrough('tickets', 'ticket_id');
const SEEN_THERE = seenThrough('tickets', 'linked_ticket_id');

export const linkResource = defineResource(TicketLink, {
  name: 'ticket_links',
  singular: 'ticket_link',
  table: 'ticket_link_sides',
  listed: 'ticket_link_sides',
  told: null,
  sort: {},
  defaultSort: 'created_at',
  filter: ['type', 'linked_ticket_id', 'created_by'],
  expand: {
    linked_ticket: { one: 'tickets', by: 'linked_ticket_id' },
    author: { one: 'users', by: 'created_by' },
  },
  sight: {
    // Whoever does not see one of the tickets is told of neither.
    rows: (sight, link) => {
      const ends = [SEEN_HERE(sight, link), SEEN_THERE(sight, link)].filter((end) => end !== null);
      return ends.length === 0 ? null : `(${ends.join(' AND ')})`;
    },
  },
  log: true,
});
