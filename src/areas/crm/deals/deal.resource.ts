import {
  boundFilter,
  conditionFilter,
  nullableMomentFilter,
  overlapFilter,
  throughView,
} from '../../../platform/query/filters';
import { defineResource } from '../../../platform/resource/resource';
import { Deal, isRotten } from './deal.entity';

export const dealResource = defineResource(Deal, {
  name: 'deals',
  singular: 'deal',
  table: 'deals',
  sort: {
    title: { column: 'title', type: 'text' },
    value: { column: 'value', type: 'numeric' },
    weighted_value: { column: 'weighted_value', type: 'numeric' },
    probability: { column: 'probability', type: 'integer' },
    expected_close_date: { column: 'expected_close_date', type: 'date', nullable: true },
    stage_changed_at: { column: 'stage_changed_at', type: 'timestamptz' },
    position: { column: 'position', type: 'numeric' },
  },
  filter: ['pipeline_id', 'stage_id', 'status', 'owner_id', 'company_id', 'contact_id', 'lead_id', 'ticket_id'],
  where: {
    value_min: boundFilter('value', '>='),
    value_max: boundFilter('value', '<='),
    expected_close_after: nullableMomentFilter('expected_close_date', '>', 'date'),
    expected_close_before: nullableMomentFilter('expected_close_date', '<', 'date'),
    rotten: conditionFilter('Deals longer in their stage than its `rotten_days`, or the others.', isRotten),
    tags: throughView(
      'deals_search',
      overlapFilter((deal) => `string_to_array(${deal}.tags, ',')`, 'any'),
    ),
  },
  search: { view: 'deals_search', over: ['title', 'next_step', 'texts of custom_fields'] },
  expand: {
    company: { one: 'companies', by: 'company_id' },
    contact: { one: 'contacts', by: 'contact_id' },
    owner: { one: 'users', by: 'owner_id' },
    pipeline: { one: 'pipelines', by: 'pipeline_id' },
    stage: { one: 'stages', by: 'stage_id' },
    lead: { one: 'leads', by: 'lead_id' },
    ticket: { one: 'tickets', by: 'ticket_id' },
    quotes: { many: 'quotes', by: 'deal_id', limit: 100, order: 'created_at' },
  },
  counters: ['status', 'pipeline_id', 'stage_id'],
  notice: { path: '/crm/deals', title: ['title'] },
  fields: 'deals_fields',
});
