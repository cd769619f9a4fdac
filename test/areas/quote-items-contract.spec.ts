import { CreateQuoteItem, UpdateQuoteItem } from '../../src/areas/quotes/items/quote-item.dto';
import { quoteItemResource } from '../../src/areas/quotes/items/quote-item.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: quoteItemResource,
  path: ({ quote }) => `/quotes/${quote}/items`,
  bodies: { create: CreateQuoteItem, update: UpdateQuoteItem },
  prepare: async (api) => ({
    quote: (await api.post('/quotes', { title: 'Printers', currency: 'EUR' })).expect(201).data.id,
  }),
  create: (serial) => ({
    name: `Item ${serial}`,
    sku: serial % 3 ? `S-${serial % 5}` : null,
    position: (serial * 7) % 100 || 1,
    quantity: (serial % 4) + 0.5,
    unit_price: serial + 0.125,
    tax_rate: serial % 2 ? 19 : 7,
  }),
  update: (serial) => ({
    name: `Other ${serial}`,
    quantity: 2,
    unit_price: 3.3333,
    discount_percent: 12.5,
    tax_rate: 8.1,
    unit: 'h',
  }),
  required: ['name', 'unit_price'],
  invalid: {
    name: ['', 7, null, 'x'.repeat(256)],
    position: [0, 1.5, null, 1_000_001],
    quantity: [0, -1, '1', null, 0.00001, 1e-7, 1e12],
    unit_price: [-0.01, '1', null, 0.00001, 1e-7, 1e12],
    discount_percent: [-1, 100.5, '10', 1e-7],
    tax_rate: [-1, 101, null, true],
    sku: ['x'.repeat(65), 7],
    unit: ['x'.repeat(33)],
    description: ['x'.repeat(1_001)],
  },
  eventsOf: ({ quote }) => ({ object: 'quote', id: quote ?? 0 }),
  events: { created: 'quote.updated', updated: 'quote.updated', deleted: 'quote.updated' },
});
