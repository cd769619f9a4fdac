import { defineResource } from '../../../platform/resource/resource';
import { QuoteEvent } from './quote-event.entity';

export const quoteEventResource = defineResource(QuoteEvent, {
  name: 'quote_events',
  singular: 'quote_event',
  table: 'quote_events',
  sort: {},
  defaultSort: '-id',
  filter: ['type', 'to_status'],
  log: true,
});
