import { boundFilter, momentFilter } from '../../platform/query/filters';
import { defineResource } from '../../platform/resource/resource';
import { MAX_ITEMS } from './quote-values';
import { Quote } from './quote.entity';

export const quoteResource = defineResource(Quote, {
  name: 'quotes',
  singular: 'quote',
  table: 'quotes',
  sort: {
    number: { column: 'serial', type: 'bigint' },
    total: { column: 'total', type: 'numeric' },
    valid_until: { column: 'valid_until', type: 'date' },
    issue_date: { column: 'issue_date', type: 'date' },
    status: { column: 'status_rank', type: 'integer' },
  },
  filter: ['number', 'status', 'company_id', 'contact_id', 'deal_id', 'ticket_id', 'owner_id', 'currency'],
  where: {
    valid_before: momentFilter('valid_until', '<', 'date'),
    total_min: boundFilter('total', '>='),
    total_max: boundFilter('total', '<='),
  },
  search: { view: 'quotes_search', over: ['number', 'title', 'recipient_email', 'texts of custom_fields'] },
  expand: {
    items: { many: 'quote_items', by: 'quote_id', limit: MAX_ITEMS, order: 'position' },
    attachments: { many: 'attachments', by: 'quote_id', limit: 100, order: 'created_at' },
    company: { one: 'companies', by: 'company_id' },
    contact: { one: 'contacts', by: 'contact_id' },
    deal: { one: 'deals', by: 'deal_id' },
    owner: { one: 'users', by: 'owner_id' },
    events: { many: 'quote_events', by: 'quote_id', limit: 100, order: 'id' },
  },
  counters: ['status'],
  notice: { path: '/quotes', title: ['title'] },
  fields: 'quotes_fields',
});
