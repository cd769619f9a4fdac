import { seenThrough } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { TicketRating } from './rating.entity';

export const ratingResource = defineResource(TicketRating, {
  name: 'ticket_ratings',
  singular: 'ticket_rating',
  table: 'ticket_ratings',
  sort: {},
  filter: ['score', 'source'],
  log: true,
  sight: { rows: seenThrough('tickets', 'ticket_id') },
});
