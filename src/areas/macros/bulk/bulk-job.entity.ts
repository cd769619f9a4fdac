import { Column, Entity } from 'typeorm';
import type { Action } from '../../../platform/area/rules';
import {
  ComputedColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Computed, OneOf } from '../../../platform/resource/rows';
import { shownActionsSchema } from '../../automations/automation.schemas';
import type { Acting } from './acting';

export const BULK_KINDS = ['apply', 'undo'] as const;
export const BULK_STATUSES = ['queued', 'running', 'completed', 'cancelled'] as const;
export type BulkStatus = OneOf<typeof BULK_STATUSES>;

/** Failures that a job shows; the others are counted. */
const SHOWN_ERRORS = 100;

const readOnly = true;

const count = (column: string, description: string): PropertyDecorator =>
  ComputedColumn({ type: 'integer', description }, (alias) => `${alias}.${column}`);

const errors = (alias: string): string =>
  `(SELECT coalesce(json_agg(json_build_object('ticket_id', e.ticket_id, 'error', e.error) ORDER BY e.ticket_id), '[]'::json)
    FROM (SELECT i.ticket_id, i.error FROM bulk_job_items i WHERE i.workspace_id = ${alias}.workspace_id AND i.job_id = ${alias}.id
      AND i.state = 'failed' ORDER BY i.ticket_id LIMIT ${SHOWN_ERRORS}) e)`.replaceAll(/\s+/g, ' ');

/** Actions on many tickets, one after the other. What counts its progress is no part of its version. */
@Entity('bulk_jobs')
export class BulkJob extends ResourceEntity {
  @EnumColumn(BULK_KINDS, { readOnly, description: '`undo` takes back what another one changed.' })
  kind: OneOf<typeof BULK_KINDS>;

  @EnumColumn(BULK_STATUSES, { readOnly, description: '`completed` says that every ticket was tried; see the counts.' })
  status: BulkStatus;

  @JsonColumn({ readOnly, api: { type: 'array', items: { type: 'object' } }, shown: shownActionsSchema })
  actions: Action[];

  @ReferenceColumn('macros', { readOnly, nullable: true })
  macro_id: number | null;

  @StringColumn({ readOnly, max: 255, nullable: true })
  macro_name: string | null;

  @JsonColumn({
    readOnly,
    nullable: true,
    description: 'What the tickets were found by; null where they were named.',
    api: { type: 'object', additionalProperties: { type: 'string' } },
  })
  filter: Record<string, string> | null;

  @ReferenceColumn('bulk_jobs', { readOnly, nullable: true, description: 'The job that this one takes back.' })
  undoes_id: number | null;

  @JsonColumn({ readOnly, description: 'On whose behalf.' })
  actor: Record<string, unknown>;

  @IntegerColumn({ readOnly, min: 0, description: 'Tickets, as they were when the job was made.' })
  total: number;

  @count('done_count', 'Tickets that were changed.')
  done_count: Computed<number>;

  @count('unchanged_count', 'Tickets that were so already, or of which an undo finds nothing as the job left it.')
  unchanged_count: Computed<number>;

  @count('failed_count', 'Tickets that nothing was done to; see `errors`.')
  failed_count: Computed<number>;

  @ComputedColumn(
    {
      type: 'array',
      description: `Why: the first ${SHOWN_ERRORS} failures.`,
      items: {
        type: 'object',
        required: ['ticket_id', 'error'],
        properties: { ticket_id: { type: 'integer', format: 'int64' }, error: { type: 'string' } },
      },
    },
    errors,
  )
  errors: Computed<{ ticket_id: number; error: string }[]>;

  @TimestampColumn({ readOnly, nullable: true })
  started_at: string | null;

  @TimestampColumn({ readOnly, nullable: true })
  finished_at: string | null;

  /** Who it is done as, for the worker. */
  @Column({ type: 'jsonb' })
  acting: Acting;
}
