import { CreateQuotes1763800400000 } from '../../../migrations/1763800400000-create-quotes';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { quoteItemResource } from './items/quote-item.resource';
import { quoteEventResource } from './log/quote-event.resource';
import { quoteResource } from './quote.resource';
import { QuotesModule } from './quotes.module';
import { quoteMail } from './document/quote.mail';
import { quotesPersonal } from './quotes.personal';

/** Offers with items, taxes and discounts, as PDF and as a page. */
export const quotesArea = defineArea({
  name: 'quotes',
  module: QuotesModule,
  resources: [quoteResource, quoteItemResource, quoteEventResource],
  migrations: [CreateQuotes1763800400000],
  permissions: usualPermissions('quotes', 'quotes', {
    read: 'agent',
    create: 'agent',
    update: 'agent',
    delete: 'agent',
  }),
  mails: [quoteMail],
  personal: quotesPersonal,
  events: {
    domain: 'quote',
    label: 'Quotes',
    events: {
      ...changesOf('quote', 'A quote'),
      'quote.sent': 'A quote was sent.',
      'quote.viewed': 'The recipient opened a quote for the first time.',
      'quote.accepted': 'A quote was accepted.',
      'quote.rejected': 'A quote was rejected.',
      'quote.expired': 'A quote expired.',
      'quote.cancelled': 'A quote was cancelled.',
      'quote.revised': 'A quote was replaced by a new revision.',
    },
    beside: { 'quote.revised': { revision: { id: 43, number: 'QUO-000124' } } },
  },
  triggers: ['quote.accepted'],
  stats: [{ resource: quoteResource, place: 90, example: 14 }],
  tags: [
    {
      name: 'Quotes',
      place: 150,
      description: 'Offers with items, taxes and discounts, as PDF and as a page that customers can accept.',
    },
  ],
  examples: {
    'quotes.delete': { id: 2 },
    'quotes.items.create': { id: 2 },
    'quotes.items.delete': { id: 2, item_id: 4 },
    'quotes.items.update': { id: 2, item_id: 4 },
    'quotes.status': { id: 2 },
    'quotes.update': { id: 2 },
  },
});
