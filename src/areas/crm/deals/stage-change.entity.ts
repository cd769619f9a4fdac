import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  ComputedColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import type { Computed } from '../../../platform/resource/rows';

const readOnly = true;
const nullable = true;

/** One stay of a deal in a stage: how it came there, who moved it, how long it stayed. */
@Entity('deal_stage_changes')
export class DealStageChange {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (change) => `${change}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @Column({ type: 'bigint' })
  deal_id: number;

  @ReferenceColumn('stages', { readOnly, nullable, description: 'null for the first stage, and once it is deleted.' })
  from_stage_id: number | null;

  @StringColumn({ readOnly, nullable, max: 120, description: 'As it was called then.', example: 'Qualification' })
  from_stage_name: string | null;

  @ReferenceColumn('stages', { readOnly, nullable, description: 'null once it is deleted.' })
  to_stage_id: number | null;

  @StringColumn({ readOnly, max: 120, example: 'Demo' })
  to_stage_name: string;

  @JsonColumn({ readOnly, api: { type: 'object', additionalProperties: true, description: 'Who moved the deal.' } })
  actor: Record<string, unknown>;

  @TimestampColumn({ readOnly, description: 'When the deal came into `to_stage_id`.' })
  created_at: string;

  @TimestampColumn({ readOnly, nullable, description: 'When the deal left it; null while it is there.' })
  left_at: string | null;

  @ComputedColumn(
    { type: 'integer', description: 'Whole seconds spent in `to_stage_id`, until now while the deal is there.' },
    (change) =>
      `floor(extract(epoch FROM greatest(coalesce(${change}.left_at, now()) - ${change}.created_at, interval '0')))::bigint`,
  )
  seconds_in_stage: Computed<number>;
}
