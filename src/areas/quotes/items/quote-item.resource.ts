import { defineResource } from '../../../platform/resource/resource';
import { QuoteItem } from './quote-item.entity';

export const quoteItemResource = defineResource(QuoteItem, {
  name: 'quote_items',
  singular: 'quote_item',
  table: 'quote_items',
  told: null,
  sort: { position: { column: 'position', type: 'integer' } },
  defaultSort: 'position',
  filter: ['sku'],
});
