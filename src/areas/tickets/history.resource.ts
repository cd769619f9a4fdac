import { defineResource } from '../../platform/resource/resource';
import { TicketHistoryEntry } from './history.entity';

export const historyResource = defineResource(TicketHistoryEntry, {
  name: 'ticket_history',
  singular: 'ticket_history_entry',
  table: 'events',
  sort: {},
  defaultSort: '-id',
  filter: ['type'],
  log: true,
});
