import { columnFilter, type FilterSpec, overlapFilter, throughView } from '../../platform/query/filters';
import { several } from '../../platform/query/values';
import { seenCount } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { Company } from './company.entity';

/** Country of the address; codes in either case. */
const country: FilterSpec = {
  ...columnFilter({
    name: 'country',
    kind: 'string',
    nullable: true,
    required: false,
    default: null,
    readOnly: true,
    written: (code) => code.toUpperCase(),
  }),
  schema: { ...several({ type: 'string', minLength: 1 }), example: 'DE' },
  description: 'Any of these ISO 3166-1 alpha-2 codes; `none` = no country.',
};

export const companyResource = defineResource(Company, {
  name: 'companies',
  singular: 'company',
  table: 'companies',
  sort: {
    name: { column: 'name', type: 'text' },
    tier: { column: 'tier_rank', type: 'integer' },
    health_score: { column: 'health_score', type: 'integer', nullable: true },
    renewal_date: { column: 'renewal_date', type: 'date', nullable: true },
  },
  filter: ['status', 'tier', 'is_vip', 'industry', 'size', 'account_manager_id', 'sla_policy_id'],
  where: {
    country,
    domain: throughView(
      'companies_search',
      overlapFilter((company) => `${company}.domains`, 'any'),
    ),
    tags: throughView(
      'companies_search',
      overlapFilter((company) => `string_to_array(${company}.tags, ',')`, 'any'),
    ),
  },
  search: { view: 'companies_search', over: ['name', 'domains', 'email', 'tax_id', 'texts of custom_fields'] },
  expand: {
    contacts: { many: 'contacts', by: 'company_id', limit: 100, order: 'created_at' },
    tickets: { many: 'tickets', by: 'company_id', limit: 100, order: 'created_at' },
    account_manager: { one: 'users', by: 'account_manager_id' },
  },
  sight: {
    columns: {
      contact_count: (sight, company) =>
        seenCount('contacts', sight, company, (n) => `${n}.company_id = ${company}.id`),
      open_ticket_count: (sight, company) =>
        seenCount(
          'tickets',
          sight,
          company,
          (n) => `${n}.company_id = ${company}.id AND ${n}.status IN ('open', 'in_progress', 'on_hold')`,
        ),
    },
  },
  counters: ['status'],
  notice: { path: '/companies', title: ['name'] },
  fields: 'companies_fields',
});
