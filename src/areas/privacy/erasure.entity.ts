import { Column, Entity } from 'typeorm';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  LooseIdColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import type { Progress } from '../../platform/privacy/eraser';
import type { UnderWay } from '../../platform/privacy/standstill';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../platform/resource/rows';

export const ERASURE_STATUSES = ['queued', 'running', 'completed'] as const;

const readOnly = true;
const nullable = true;

const count = (column: string, description: string): PropertyDecorator =>
  ComputedColumn({ type: 'integer', minimum: 0, description }, (alias) => `${alias}.${column}`);

/** How far an erasure is, and what it waits for. */
export interface ErasureProgress extends Progress {
  underWay: UnderWay | null;
}

/** Somebody who is erased, or was: who asked for it, and how much it came to. What counts its progress is no part of its version. */
@Entity('erasures')
export class Erasure extends ResourceEntity {
  @LooseIdColumn({
    readOnly,
    nullable,
    description:
      'The contact; the record stays, without a word of the person. null: it follows a retention rule, and takes copies of tickets out of everything.',
  })
  contact_id: number | null;

  @EnumColumn(ERASURE_STATUSES, {
    readOnly,
    description: '`completed` says that a last look at everything found nothing, unless `left_count` says otherwise.',
  })
  status: OneOf<typeof ERASURE_STATUSES>;

  @JsonColumn({ readOnly, description: 'Who asked for it.' })
  actor: Record<string, unknown>;

  @IntegerColumn({
    readOnly,
    min: 0,
    description:
      'Names, addresses and numbers that others of the workspace have, too: these were taken out of what belongs to the person alone.',
  })
  kept_count: number;

  @count('pass', 'How often everything is looked through by now; the last time nothing is found.')
  pass: Computed<number>;

  @count('stage', 'Tables that this pass has been through.')
  stage: Computed<number>;

  @count('stage_count', 'Tables that a pass goes through.')
  stage_count: Computed<number>;

  @count('record_count', 'Records of the person, so far: tickets, comments, meetings and so on.')
  record_count: Computed<number>;

  @count('change_count', 'Rows that were rewritten, so far: copies, logs and mail among them.')
  change_count: Computed<number>;

  @count(
    'left_count',
    'Rows that still had to be rewritten the last time; other than 0 only where something kept writing.',
  )
  left_count: Computed<number>;

  @TimestampColumn({ readOnly, nullable })
  started_at: string | null;

  @TimestampColumn({ readOnly, nullable })
  finished_at: string | null;

  /** What the person is known by, sealed; null once it is over. */
  @Column({ type: 'text', nullable })
  person: string | null;

  @Column({ type: 'jsonb', nullable })
  progress: ErasureProgress | null;
}
