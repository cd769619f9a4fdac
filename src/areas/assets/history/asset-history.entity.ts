import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { HISTORY_ACTIONS } from '../asset-status';
import type { Computed, OneOf } from '../../../platform/resource/rows';

const readOnly = true;
const nullable = true;

/** One thing that happened to an asset. Kept as long as the workspace, also after the asset is gone. */
@Entity('asset_history')
export class AssetHistoryEntry {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (entry) => `${entry}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @Column({ type: 'integer' })
  version: number;

  @ReferenceColumn('assets', { readOnly })
  asset_id: number;

  @EnumColumn(HISTORY_ACTIONS, { readOnly })
  action: OneOf<typeof HISTORY_ACTIONS>;

  @JsonColumn({ readOnly, description: 'The changed fields as they were.' })
  from: Record<string, unknown>;

  @JsonColumn({ readOnly, description: 'The same fields as they are since.' })
  to: Record<string, unknown>;

  @StringColumn({ readOnly, nullable, max: 2_000 })
  note: string | null;

  @JsonColumn({ readOnly, description: 'Who did it.' })
  actor: Record<string, unknown>;

  @TimestampColumn({ readOnly })
  created_at: string;
}
