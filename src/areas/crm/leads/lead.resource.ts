import { boundFilter, overlapFilter, presenceFilter, throughView } from '../../../platform/query/filters';
import { defineResource } from '../../../platform/resource/resource';
import { Lead } from './lead.entity';

export const leadResource = defineResource(Lead, {
  name: 'leads',
  singular: 'lead',
  table: 'leads',
  sort: {
    name: { column: 'name', type: 'text' },
    score: { column: 'score', type: 'integer' },
    estimated_value: { column: 'estimated_value', type: 'numeric', nullable: true },
    status: { column: 'status_rank', type: 'integer' },
    last_contacted_at: { column: 'last_contacted_at', type: 'timestamptz', nullable: true },
  },
  filter: [
    'status',
    'source',
    'owner_id',
    'rating',
    'email',
    'company_id',
    'contact_id',
    'country',
    'source_ticket_id',
    'converted_deal_id',
  ],
  where: {
    score_min: boundFilter('score', '>='),
    converted: presenceFilter('converted_at'),
    tags: throughView(
      'leads_search',
      overlapFilter((lead) => `string_to_array(${lead}.tags, ',')`, 'any'),
    ),
  },
  search: { view: 'leads_search', over: ['name', 'email', 'phone', 'company_name', 'texts of custom_fields'] },
  expand: {
    owner: { one: 'users', by: 'owner_id' },
    company: { one: 'companies', by: 'company_id' },
    contact: { one: 'contacts', by: 'contact_id' },
    deal: { one: 'deals', by: 'converted_deal_id' },
  },
  counters: ['status', 'owner_id', 'source'],
  notice: { path: '/crm/leads', title: ['name'] },
  fields: 'leads_fields',
});
