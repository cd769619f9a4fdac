import { Column, Entity } from 'typeorm';
import { AmountColumn, CurrencyColumn } from '../../platform/money/currency';
import {
  ComputedColumn,
  DateColumn,
  EnumColumn,
  ReferenceColumn,
  StringColumn,
  TagsColumn,
  TextColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import { counterTotal } from '../../platform/counters/counter-sql';
import { HOSTNAME } from './identity/asset-identity';
import { ASSET_STATUSES } from './asset-status';
import { ASSET_IMPACTS, ASSET_TYPES, MAX_LEVELS, USAGE_TYPES } from './asset-values';
import type { Computed, OneOf } from '../../platform/resource/rows';

const nullable = true;

/** A thing that is owned, lent, repaired and one day disposed of: product reference 1.11. */
@Entity('assets')
export class Asset extends ResourceEntity {
  @StringColumn({ required: true, max: 255, example: 'MacBook Pro 14 of Eve' })
  name: string;

  @StringColumn({
    max: 64,
    min: 1,
    description: 'Inventory number, unique whatever its case; the next free one, e.g. `AST-000123`, unless given.',
  })
  asset_tag: string;

  @EnumColumn(ASSET_TYPES, { default: 'other', example: 'laptop' })
  type: OneOf<typeof ASSET_TYPES>;

  @EnumColumn(ASSET_STATUSES, {
    default: 'in_stock',
    description: 'Assigning makes `in_stock` and `reserved` assets `in_use`, returning them `in_stock`.',
  })
  status: OneOf<typeof ASSET_STATUSES>;

  @StringColumn({ nullable, max: 128, min: 1, description: 'Unique whatever its case.' })
  serial_number: string | null;

  @StringColumn({ nullable, max: 120, example: 'Apple' })
  manufacturer: string | null;

  @StringColumn({ nullable, max: 120, example: 'MacBook Pro 14 (2025)' })
  model: string | null;

  @StringColumn({ nullable, max: 253, pattern: HOSTNAME, example: 'eve-laptop.corp.example' })
  hostname: string | null;

  @StringColumn({ nullable, max: 45, min: 2, example: '10.20.30.40', description: 'IPv4 or IPv6.' })
  ip_address: string | null;

  @StringColumn({
    nullable,
    max: 17,
    min: 12,
    example: '3c:22:fb:01:02:03',
    description: 'Kept as `aa:bb:cc:dd:ee:ff`.',
  })
  mac_address: string | null;

  @StringColumn({ nullable, max: 120, example: 'macOS' })
  os: string | null;

  @StringColumn({ nullable, max: 120, example: '26.1' })
  os_version: string | null;

  @ReferenceColumn('users', { nullable, description: 'The active user who has it; not together with a contact.' })
  assigned_to: number | null;

  @ReferenceColumn('contacts', { nullable, description: 'The contact who has it; not together with a user.' })
  assigned_contact_id: number | null;

  @ReferenceColumn('companies', { nullable })
  company_id: number | null;

  @ReferenceColumn('users', { nullable, description: 'Who looks after it.' })
  managed_by: number | null;

  @StringColumn({ nullable, max: 120, example: 'Berlin, floor 3' })
  location: string | null;

  @StringColumn({ nullable, max: 120, example: 'Finance' })
  department: string | null;

  @EnumColumn(USAGE_TYPES, { default: 'permanent' })
  usage_type: OneOf<typeof USAGE_TYPES>;

  @TimestampColumn({ nullable, description: 'When a `loaner` is due back; forgotten when it is returned.' })
  expected_return_at: string | null;

  @EnumColumn(ASSET_IMPACTS, { default: 'low', description: 'How much depends on it.' })
  impact: OneOf<typeof ASSET_IMPACTS>;

  @StringColumn({ nullable, max: 255, example: 'Acme Hardware Ltd' })
  vendor: string | null;

  @StringColumn({ nullable, max: 120, example: 'PO-2026-0042' })
  order_number: string | null;

  @StringColumn({ nullable, max: 120, example: 'INV-77' })
  invoice_number: string | null;

  @DateColumn({ nullable, example: '2026-02-01' })
  purchase_date: string | null;

  @AmountColumn({ nullable, example: 2_399.9, description: 'In whole minor units of `currency`.' })
  purchase_cost: number | null;

  @CurrencyColumn()
  currency: string;

  @DateColumn({ nullable, example: '2029-02-01', description: '`asset.warranty_expiring` comes 30 days before.' })
  warranty_expires_at: string | null;

  @DateColumn({ nullable, example: '2030-02-01', description: 'When it is to be replaced.' })
  eol_at: string | null;

  @DateColumn({ nullable, example: '2027-02-01' })
  next_audit_at: string | null;

  @DateColumn({ nullable, example: '2026-02-01' })
  last_audit_at: string | null;

  @ReferenceColumn('assets', { nullable, description: `The asset it is a part of; at most ${MAX_LEVELS} levels.` })
  parent_id: number | null;

  @TextColumn({ nullable, max: 10_000, description: 'Markdown.' })
  notes: string | null;

  @TagsColumn({ example: 'byod,vip' })
  tags: string;

  @ComputedColumn({ type: 'integer', description: 'Tickets that name it.' }, (asset) =>
    counterTotal(asset, 'tickets_by_asset', [`= ${asset}.id::text`, null, null]),
  )
  ticket_count: Computed<number>;

  /** The warranty date that was announced, or was past when it was entered. */
  @Column({ type: 'date', nullable })
  warranty_announced_for: string | null;
}
