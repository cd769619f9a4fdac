import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  ComputedColumn,
  JsonColumn,
  LooseIdColumn,
  StringColumn,
  StringsColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { actorSchema } from '../../platform/openapi/event-schemas';
import type { Computed } from '../../platform/resource/rows';

const readOnly = true;
const nullable = true;
const id = { type: 'integer', format: 'int64' } as const;

/** One change, whoever made it and whatever it was made to. Nothing but time removes it. */
@Entity('audit_logs')
export class AuditLog {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn(id, (entry) => `${entry}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @Column({ type: 'integer' })
  version: number;

  @TimestampColumn({ readOnly })
  created_at: string;

  @JsonColumn({ readOnly, description: 'Who did it.', shown: actorSchema })
  actor: Record<string, unknown>;

  /** Of `actor`, for filters. */
  @Column({ type: 'text' })
  actor_type: string;

  @Column({ type: 'bigint', nullable })
  actor_id: number | null;

  @StringColumn({ readOnly, max: 100, description: 'What was done: `created`, `updated`, `deleted`, `escalated` …' })
  action: string;

  @StringColumn({ readOnly, max: 100, description: 'The first event of the change.' })
  event: string;

  @StringsColumn({ readOnly, maxItems: 50, maxLength: 100, description: 'All events of the change, in order.' })
  events: string[];

  @StringColumn({ readOnly, max: 100, description: 'Singular name of the kind of record, e.g. `ticket`.' })
  resource: string;

  @LooseIdColumn({ readOnly })
  resource_id: number;

  @StringColumn({ readOnly, nullable, max: 255, description: 'What the record was called then: code and name.' })
  resource_name: string | null;

  @JsonColumn({
    readOnly,
    nullable,
    description: 'The changed fields.',
    api: { type: 'object', additionalProperties: { type: 'object', properties: { from: {}, to: {} } } },
  })
  changes: Record<string, unknown> | null;

  @StringColumn({ readOnly, nullable, max: 200, description: '`X-Request-Id` of the request.' })
  request_id: string | null;

  @LooseIdColumn({ readOnly, nullable, description: 'The token that was used.' })
  token_id: number | null;

  @StringColumn({ readOnly, nullable, max: 45, description: 'The address that the request came from.' })
  ip: string | null;

  @StringColumn({ readOnly, max: 40, description: 'Id of the first event, for `GET /events/{id}` within 30 days.' })
  event_id: string;

  @JsonColumn({ readOnly, description: 'What it goes back to: first event, depth, automations.' })
  causation: Record<string, unknown>;
}
