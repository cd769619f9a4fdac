import { getSchemaPath } from '@nestjs/swagger';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ComputedColumn, JsonColumn, StringColumn, TimestampColumn } from '../../platform/columns/columns';
import { AssignmentReason } from './assigning/assignment-reason';
import type { Computed } from '../../platform/resource/rows';

const readOnly = true;

/** One change of a ticket, as its event rows tell it. */
@Entity('events')
export class TicketHistoryEntry {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (entry) => `${entry}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  /** What it is about, and its place in the change: what its lists are narrowed by. */
  @Column({ type: 'text' })
  object: string;

  @Column({ type: 'bigint' })
  object_id: number;

  @Column({ type: 'integer' })
  position: number;

  @StringColumn({ max: 100, readOnly, example: 'ticket.updated' })
  type: string;

  @ComputedColumn(
    { type: 'array', items: { type: 'string' }, description: 'All events of the change, in order.' },
    (entry) =>
      `(SELECT json_agg(e.type ORDER BY e.position) FROM events e WHERE e.workspace_id = ${entry}.workspace_id AND e.object = ${entry}.object AND e.object_id = ${entry}.object_id AND e.id >= ${entry}.id AND e.sequence_id = ${entry}.sequence_id)`,
  )
  events: Computed<string[]>;

  @JsonColumn({ readOnly })
  actor: Record<string, unknown>;

  @JsonColumn({
    readOnly,
    nullable: true,
    api: { type: 'object', additionalProperties: { type: 'object', properties: { from: {}, to: {} } } },
  })
  changes: Record<string, unknown> | null;

  @JsonColumn({ readOnly, nullable: true })
  related: Record<string, unknown> | null;

  @ComputedColumn(
    {
      allOf: [{ $ref: getSchemaPath(AssignmentReason) }],
      description: 'Why the ticket came to its new assignee; null for other changes.',
    },
    (entry) =>
      `(SELECT e.related -> 'assignment' FROM events e WHERE e.workspace_id = ${entry}.workspace_id AND e.object = ${entry}.object AND e.object_id = ${entry}.object_id AND e.id >= ${entry}.id AND e.sequence_id = ${entry}.sequence_id AND e.related ->> 'assignment' IS NOT NULL ORDER BY e.id LIMIT 1)`,
    true,
  )
  reason: Computed<AssignmentReason | null>;

  @JsonColumn({ readOnly })
  causation: Record<string, unknown>;

  @TimestampColumn({ readOnly })
  created_at: string;
}
