import { Entity } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  LooseIdColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../../platform/resource/rows';

export const RETENTION_RULES = ['tickets', 'anonymise', 'logs'] as const;
export type RetentionRule = (typeof RETENTION_RULES)[number];
export const RETENTION_STATUSES = ['running', 'completed'] as const;

const readOnly = true;

/** A rule of how long things are kept, as it was carried out. What counts its progress is no part of its version. */
@Entity('retention_runs')
export class RetentionRun extends ResourceEntity {
  @EnumColumn(RETENTION_RULES, {
    readOnly,
    description:
      '`tickets`: closed ones are deleted, with all that belongs to them; `anonymise`: they lose who asked and what was said; `logs`: old entries of logs are deleted.',
  })
  rule: OneOf<typeof RETENTION_RULES>;

  @IntegerColumn({ readOnly, min: 1, description: 'The days of the rule when it began.' })
  days: number;

  @EnumColumn(RETENTION_STATUSES, { readOnly, default: 'running' })
  status: OneOf<typeof RETENTION_STATUSES>;

  @ComputedColumn(
    {
      type: 'integer',
      minimum: 0,
      description:
        'Records that are gone, or anonymous. Each ticket has an event and an entry of the audit log; entries of logs have none.',
    },
    (alias) => `${alias}.deleted_count`,
  )
  deleted_count: Computed<number>;

  @LooseIdColumn({
    readOnly,
    nullable: true,
    description: 'The erasure that takes these tickets out of events, logs and mail, within a day.',
  })
  erasure_id: number | null;

  @TimestampColumn({ readOnly, nullable: true })
  finished_at: string | null;
}
