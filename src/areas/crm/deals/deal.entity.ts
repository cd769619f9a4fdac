import { Column, Entity } from 'typeorm';
import { AmountColumn, CurrencyColumn } from '../../../platform/money/currency';
import {
  ComputedColumn,
  DateColumn,
  DecimalColumn,
  EnumColumn,
  IntegerColumn,
  ReferenceColumn,
  StringColumn,
  TagsColumn,
  TextColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { resourceIfAny } from '../../../platform/resource/resource';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import { CRM_SOURCES, DEAL_PRIORITIES, DEAL_STATUSES } from '../crm-values';
import type { Computed, OneOf } from '../../../platform/resource/rows';

const readOnly = true;
const nullable = true;

/** SQL: whether the deal has been in its stage for longer than the stage allows. */
export const isRotten = (deal: string): string => `${deal}.rots_at < now()`;

/** A sale in the making: product reference 1.15. */
@Entity('deals')
export class Deal extends ResourceEntity {
  @StringColumn({ required: true, max: 255, example: 'Navy Computing, 50 seats' })
  title: string;

  @AmountColumn({ default: 0, example: 12_000 })
  value: number;

  @CurrencyColumn({ description: 'ISO 4217 code; the currency of the pipeline, else of the workspace, unless given.' })
  currency: string;

  /** Digits behind the point of the currency, for `weighted_value`. */
  @Column({ type: 'smallint' })
  minor_digits: number;

  @ReferenceColumn('pipelines', {
    description: 'Default: the default pipeline. Changing it alone moves the deal to the first open stage there.',
  })
  pipeline_id: number;

  @ReferenceColumn('stages', { description: 'Changing it alone moves the deal to the pipeline of the stage.' })
  stage_id: number;

  @EnumColumn(DEAL_STATUSES, {
    default: 'open',
    description: 'Goes with the type of the stage: changing one changes the other.',
  })
  status: OneOf<typeof DEAL_STATUSES>;

  @IntegerColumn({
    min: 0,
    max: 100,
    description: 'Follows the stage until it is set by hand; setting it to that of the stage makes it follow again.',
    example: 10,
  })
  probability: number;

  /** The probability set by hand; null while it follows the stage. */
  @Column({ type: 'integer', nullable })
  own_probability: number | null;

  @DecimalColumn({
    readOnly,
    untold: true,
    description: '`value` times `probability`, in whole minor units.',
    example: 1_200,
  })
  weighted_value: number;

  @ReferenceColumn('companies', { nullable })
  company_id: number | null;

  @ReferenceColumn('contacts', { nullable })
  contact_id: number | null;

  @ReferenceColumn('users', { nullable, description: 'An active user; the user of the token unless given.' })
  owner_id: number | null;

  @ReferenceColumn('leads', { nullable })
  lead_id: number | null;

  @ReferenceColumn('tickets', { nullable })
  ticket_id: number | null;

  @DateColumn({ nullable, example: '2027-03-31' })
  expected_close_date: string | null;

  @TimestampColumn({ nullable, readOnly, description: 'When the deal was won or lost.' })
  closed_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  won_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  lost_at: string | null;

  @TimestampColumn({ nullable, readOnly, description: 'Stays when the deal is opened again.' })
  first_won_at: string | null;

  @TimestampColumn({ readOnly })
  stage_changed_at: string;

  /** The open stage that the deal is in, or was in when it was closed: where it returns to. */
  @Column({ type: 'bigint', nullable })
  open_stage_id: number | null;

  /** When the deal begins to be rotten; null while its stage has no limit, and once it is closed. */
  @Column({ type: 'timestamptz', precision: 3, nullable })
  rots_at: string | null;

  @ComputedColumn(
    { type: 'boolean', description: 'Longer in its stage than the `rotten_days` of the stage.' },
    (deal) => `coalesce(${isRotten(deal)}, false)`,
  )
  is_rotten: Computed<boolean>;

  @StringColumn({ nullable, max: 1_000, description: 'Needed by `lost`, else null.' })
  lost_reason: string | null;

  @StringColumn({ nullable, max: 500, example: 'Call on Tuesday' })
  next_step: string | null;

  @EnumColumn(DEAL_PRIORITIES, { nullable })
  priority: OneOf<typeof DEAL_PRIORITIES> | null;

  @EnumColumn(CRM_SOURCES, { nullable })
  source: OneOf<typeof CRM_SOURCES> | null;

  @ComputedColumn({ type: 'array', items: { type: 'integer', format: 'int64' } }, (deal) =>
    resourceIfAny('quotes')
      ? `(SELECT coalesce(json_agg(q.id ORDER BY q.id), '[]'::json) FROM quotes q WHERE q.workspace_id = ${deal}.workspace_id AND q.deal_id = ${deal}.id)`
      : `'[]'::json`,
  )
  quote_ids: Computed<number[]>;

  @TextColumn({ nullable, max: 20_000 })
  notes: string | null;

  @TagsColumn({ example: 'enterprise,renewal' })
  tags: string;

  @DecimalColumn({
    decimals: 10,
    description: 'Order within the stage, as on a board; at the end unless given. Halves fit between two deals.',
    example: 1,
  })
  position: number;
}
