import { eventBodySql } from '../../platform/events/event-json';
import { JOBS } from '../../platform/queue/job-table';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  ComputedColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TextColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { DELIVERY_STATUSES, DELIVERY_JOB } from './webhook-values';
import type { Computed } from '../../platform/resource/rows';

const readOnly = true;

/** SQL of a delivery's state as clients see it: one that waits is `delivering` while an attempt is under way. */
export const shownStatus = (delivery: string): string =>
  `CASE WHEN ${delivery}.status IN ('pending', 'retrying') AND EXISTS (SELECT FROM ${JOBS} w WHERE w.workspace_id = ${delivery}.workspace_id` +
  ` AND w.kind = '${DELIVERY_JOB}' AND w.subject_id = ${delivery}.id AND w.state = 'running') THEN 'delivering' ELSE ${delivery}.status END`;

/** One event on its way to one endpoint, with every attempt. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn({ type: 'bigint' })
  @ComputedColumn({ type: 'integer', format: 'int64' }, (delivery) => `${delivery}.id`)
  id: Computed<number>;

  @Column({ type: 'bigint' })
  workspace_id: number;

  @ReferenceColumn('webhooks', { readOnly })
  webhook_id: number;

  @StringColumn({ max: 36, readOnly, description: '`X-Service-Delivery`: the same in every attempt.' })
  uid: string;

  @StringColumn({ max: 36, readOnly, description: '`webhook-id`, and the id in GET /events.' })
  event_id: string;

  @StringColumn({ max: 100, readOnly, example: 'ticket.created', description: 'The name it is delivered under.' })
  event: string;

  @ComputedColumn({ type: 'string', enum: [...DELIVERY_STATUSES] }, shownStatus)
  status: Computed<string>;

  @IntegerColumn({ readOnly, description: 'How many attempts were made.' })
  attempt: number;

  @TimestampColumn({ nullable: true, readOnly })
  next_attempt_at: string | null;

  @JsonColumn({
    readOnly,
    default: [],
    description: 'The newest 50, oldest first.',
    api: {
      type: 'array',
      items: {
        type: 'object',
        required: ['n', 'at', 'trigger', 'response_status', 'duration_ms', 'error'],
        properties: {
          n: { type: 'integer' },
          at: { type: 'string', format: 'date-time' },
          trigger: { type: 'string', enum: ['scheduled', 'manual'] },
          response_status: { type: 'integer', nullable: true },
          duration_ms: { type: 'integer' },
          error: { type: 'string', nullable: true },
        },
      },
    },
  })
  attempts: Record<string, unknown>[];

  @IntegerColumn({ nullable: true, readOnly, description: 'Of the last attempt.' })
  response_status: number | null;

  @IntegerColumn({ nullable: true, readOnly, description: 'Of the last attempt.' })
  duration_ms: number | null;

  @ComputedColumn(
    { type: 'string', description: 'The exact body.' },
    (delivery) =>
      `(SELECT ${eventBodySql('e', `${delivery}.event`)} FROM events e WHERE e.workspace_id = ${delivery}.workspace_id AND e.id = ${delivery}.event_row)`,
    true,
  )
  request_body: Computed<string | null>;

  @TextColumn({ max: 4_096, nullable: true, readOnly, description: 'At most the first 4 KB of the last answer.' })
  response_body: string | null;

  @TimestampColumn({ readOnly })
  created_at: string;
}
