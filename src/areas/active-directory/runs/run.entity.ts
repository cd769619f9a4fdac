import { Column, Entity } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  EnumColumn,
  JsonColumn,
  ReferenceColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { type Failure, failureSchema } from '../../../platform/columns/failure';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../../platform/resource/rows';

export const RUN_STATUSES = [
  'receiving',
  'queued',
  'running',
  'awaiting_approval',
  'completed',
  'completed_with_errors',
  'failed',
  'cancelled',
] as const;
export type RunStatus = OneOf<typeof RUN_STATUSES>;
/** Runs that are not over; a connection has one of them at most. */
export const UNDER_WAY: readonly RunStatus[] = ['receiving', 'queued', 'running', 'awaiting_approval'];

export const RUN_MODES = ['full', 'delta'] as const;
export const TRIGGERS = ['manual', 'schedule', 'push'] as const;

/** What came of the objects of a run. */
export const COUNTS = [
  'scanned',
  'created',
  'updated',
  'linked',
  'disabled',
  'enabled',
  'deleted',
  'skipped',
  'warnings',
  'failed',
] as const;
export type Counts = Partial<Record<(typeof COUNTS)[number], number>>;

const readOnly = true;
const nullable = true;
const anything = { type: 'object', additionalProperties: true } as const;

/** One comparison of a directory with the workspace, and what it changed. */
@Entity('directory_runs')
export class DirectoryRun extends ResourceEntity {
  @ReferenceColumn('directory_connections', { readOnly })
  connection_id: number;

  @EnumColumn(RUN_MODES, {
    readOnly,
    default: 'full',
    description: '`full`: everything was read, so what is missing shows.',
  })
  mode: OneOf<typeof RUN_MODES>;

  @BooleanColumn({ readOnly, default: false, description: 'It says what it would change, and changes nothing.' })
  is_dry_run: boolean;

  @EnumColumn(TRIGGERS, { readOnly, default: 'manual' })
  trigger: OneOf<typeof TRIGGERS>;

  @EnumColumn(RUN_STATUSES, {
    readOnly,
    default: 'queued',
    description:
      '`receiving`: more of what it compares is to come. `completed_with_errors`: some objects failed, and changed nothing.',
  })
  status: RunStatus;

  @JsonColumn({
    readOnly,
    default: {},
    description: 'Objects by what came of them; of a dry run, and while it waits for approval, of what would.',
    api: {
      type: 'object',
      properties: Object.fromEntries(COUNTS.map((name) => [name, { type: 'integer', minimum: 0 }])),
    },
  })
  counts: Counts;

  @JsonColumn({ nullable, readOnly, api: anything })
  cursor_before: Record<string, unknown> | null;

  @JsonColumn({ nullable, readOnly, api: anything })
  cursor_after: Record<string, unknown> | null;

  @JsonColumn({
    nullable,
    readOnly,
    description: 'Why somebody has to approve it, and who did.',
    api: {
      type: 'object',
      required: ['required', 'reason', 'approved_by'],
      properties: {
        required: { type: 'boolean' },
        reason: { type: 'string' },
        approved_by: { type: 'object', nullable: true, additionalProperties: true },
      },
    },
  })
  approval: { required: boolean; reason: string; approved_by: unknown } | null;

  @JsonColumn({
    nullable,
    readOnly,
    api: failureSchema,
  })
  error: Failure | null;

  @TimestampColumn({ nullable, readOnly })
  started_at: string | null;

  @TimestampColumn({ nullable, readOnly, description: 'When it was known what it changes.' })
  planned_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  finished_at: string | null;

  @ComputedColumn(
    {
      type: 'integer',
      description: 'Milliseconds from its start to its end, waiting for approval included; null until then.',
    },
    (run) => `floor(extract(epoch FROM ${run}.finished_at - ${run}.started_at) * 1000)::bigint`,
    true,
  )
  duration_ms: Computed<number | null>;

  /** What it compared by (`comparison.ts`): a run after it that compares by the same looks at what has changed alone. */
  @Column({ type: 'text', nullable: true })
  compared: string | null;
}
