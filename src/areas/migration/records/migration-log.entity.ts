import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import type { Computed, OneOf } from '../../../platform/resource/rows';

const readOnly = true;
const nullable = true;

export const LOG_LEVELS = ['info', 'warning', 'error'] as const;

/** What is worth a line about a migration. */
@Entity('migration_logs')
export class MigrationLog {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (log) => `${log}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @Column({ type: 'integer' })
  version: number;

  @ReferenceColumn('migration_jobs', { readOnly })
  job_id: number;

  @EnumColumn(LOG_LEVELS, { readOnly })
  level: OneOf<typeof LOG_LEVELS>;

  @StringColumn({ max: 60, nullable, readOnly })
  entity: string | null;

  @StringColumn({ max: 1_000, readOnly })
  message: string;

  @JsonColumn({ nullable, readOnly })
  data: object | null;

  @TimestampColumn({ readOnly })
  created_at: string;
}
