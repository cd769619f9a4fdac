import { Column, Entity, PrimaryColumn } from 'typeorm';
import { eventDataSql } from '../../platform/events/event-json';
import { timestampText } from '../../platform/columns/column-spec';
import { ComputedColumn, JsonColumn, StringColumn } from '../../platform/columns/columns';
import { actorSchema, causationSchema } from '../../platform/openapi/event-schemas';
import type { Computed } from '../../platform/resource/rows';

const readOnly = true;
const integer = { type: 'integer', format: 'int64' } as const;

/** An event as webhooks deliver it (product reference 5.2), for those who would rather ask. */
@Entity('recorded_events')
export class EventRecord {
  @PrimaryColumn({ type: 'bigint', name: 'id' })
  row: number;

  @Column({ type: 'bigint', name: 'workspace_id' })
  workspace: number;

  /** Number of the transaction: commits, and so events, are in its order. */
  @Column({ type: 'bigint' })
  tx: string;

  @ComputedColumn({ type: 'string', example: 'evt_01976f7e1d1c7d3c8a1b2c3d4e5f6071' }, (event) => `${event}.uid`)
  id: Computed<string>;

  @StringColumn({ max: 100, readOnly, example: 'ticket.updated' })
  type: string;

  @ComputedColumn({ type: 'string', enum: ['v1'] }, () => `'v1'`)
  api_version: Computed<string>;

  @ComputedColumn({ type: 'string', format: 'date-time' }, (event) => timestampText(`${event}.created_at`))
  timestamp: Computed<string>;

  @ComputedColumn(integer, (event) => `${event}.workspace_id`)
  workspace_id: Computed<number>;

  @ComputedColumn(
    {
      type: 'object',
      required: ['id', 'position'],
      properties: { id: { type: 'string' }, position: { type: 'integer' } },
      description: 'Events of one change share the id and come in order of `position`.',
    },
    (event) => `json_build_object('id', ${event}.sequence_id, 'position', ${event}.position)`,
  )
  sequence: Computed<{ id: string; position: number }>;

  @JsonColumn({ readOnly, shown: actorSchema })
  actor: Record<string, unknown>;

  @JsonColumn({ readOnly, shown: causationSchema })
  causation: Record<string, unknown>;

  @ComputedColumn(
    {
      type: 'object',
      required: ['object', 'id'],
      additionalProperties: true,
      properties: { object: { type: 'string', example: 'ticket' }, id: integer },
      description: '`object`, `id`, and under the name of the object the record as GET showed it after the change.',
    },
    (event) => `${eventDataSql(event)}::json`,
  )
  data: Computed<Record<string, unknown>>;

  @JsonColumn({
    readOnly,
    nullable: true,
    api: { type: 'object', additionalProperties: { type: 'object', properties: { from: {}, to: {} } } },
  })
  changes: Record<string, unknown> | null;
}
