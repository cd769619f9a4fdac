import { columnFilter, type FilterSpec, nullableMomentFilter, overlapFilter } from '../../platform/query/filters';
import { seenCount } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { auditDueFilter } from './audit-due';
import { Asset } from './asset.entity';
import { besideMany } from './history/entry-insert';

/** Equality whatever the case, by the column that keeps the text in lower case. */
function caseless(column: string, nullable: boolean): FilterSpec {
  const about = { required: false, default: null, readOnly: true, written: (text: string) => text.toLowerCase() };
  const filter = columnFilter({ name: column, kind: 'string', nullable, ...about });
  return {
    ...filter,
    description: `Whatever its case; several comma-separated${nullable ? '; `none` = not set' : ''}.`,
  };
}

export const assetResource = defineResource(Asset, {
  name: 'assets',
  singular: 'asset',
  table: 'assets',
  sort: {
    name: { column: 'name', type: 'text' },
    asset_tag: { column: 'asset_tag', type: 'text' },
    status: { column: 'status_rank', type: 'integer' },
    purchase_date: { column: 'purchase_date', type: 'date', nullable: true },
    purchase_cost: { column: 'purchase_cost', type: 'numeric', nullable: true },
    warranty_expires_at: { column: 'warranty_expires_at', type: 'date', nullable: true },
    next_audit_at: { column: 'next_audit_at', type: 'date', nullable: true },
  },
  filter: [
    'type',
    'status',
    'assigned_to',
    'assigned_contact_id',
    'company_id',
    'managed_by',
    'parent_id',
    'location',
    'department',
    'manufacturer',
    'usage_type',
    'impact',
  ],
  where: {
    asset_tag: caseless('asset_tag_key', false),
    serial_number: caseless('serial_number_key', true),
    warranty_before: nullableMomentFilter('warranty_expires_at', '<', 'date'),
    warranty_after: nullableMomentFilter('warranty_expires_at', '>', 'date'),
    audit_due: auditDueFilter,
    tags: overlapFilter((alias) => `string_to_array(${alias}.tags, ',')`, 'any'),
  },
  search: {
    view: 'assets_search',
    over: ['name', 'asset_tag', 'serial_number', 'hostname', 'model', 'manufacturer', 'texts of custom_fields'],
  },
  sight: {
    columns: {
      ticket_count: (sight, asset) => seenCount('tickets', sight, asset, (n) => `${n}.asset_ids @> ARRAY[${asset}.id]`),
    },
  },
  counters: ['status', 'type', 'assigned_to'],
  expand: {
    assignee: { one: 'users', by: 'assigned_to' },
    contact: { one: 'contacts', by: 'assigned_contact_id' },
    company: { one: 'companies', by: 'company_id' },
    manager: { one: 'users', by: 'managed_by' },
    parent: { one: 'assets', by: 'parent_id' },
    components: { many: 'assets', by: 'parent_id', limit: 100, order: 'created_at' },
  },
  beside: besideMany,
  notice: { path: '/assets', title: ['name'] },
  fields: 'assets_fields',
});
