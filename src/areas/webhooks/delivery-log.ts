import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { EventRedaction, type Redacted, type Redactor } from '../../platform/events/event-redaction';
import { eventBodySql } from '../../platform/events/event-json';
import { JOBS } from '../../platform/queue/job-table';
import { hasArrived } from '../../platform/delivery/attempt';
import type { OutboundResult } from '../../platform/outbound/outbound-result';
import { DELIVERY_JOB } from './webhook-values';

/** Everything that an attempt needs to know. */
export interface DueDelivery {
  id: number;
  webhook_id: number;
  uid: string;
  event_id: string;
  event: string;
  status: string;
  /** Attempts made so far. */
  attempt: number;
  /** False when the endpoint was paused, deactivated or deleted. */
  is_active: boolean;
  url: string;
  headers_sealed: string | null;
  secret_sealed: string;
  /** Only while a rotation overlaps. */
  previous_secret_sealed: string | null;
  root_event_id: string | null;
  depth: number;
  /** Null when the event is no longer in the log. */
  body: string | null;
}

export type AttemptTrigger = 'scheduled' | 'manual';

/** How an attempt changes its delivery. */
export interface AttemptRecord {
  trigger: AttemptTrigger;
  startedAt: Date;
  result: OutboundResult;
  /** New state; null leaves it as it is. */
  status: 'succeeded' | 'retrying' | 'failed' | null;
  retryInMs: number | null;
  /** Whether the endpoint's count of failures in a row goes up. */
  counts: boolean;
}

const MAX_ATTEMPTS_KEPT = 50;

const LOAD = `
  SELECT d.id, d.webhook_id, d.uid, d.event_id, d.event, d.status, d.attempt, coalesce(w.is_active, false) AS is_active,
    w.url, w.headers_sealed, w.secret_sealed,
    CASE WHEN w.previous_secret_until > now() THEN w.previous_secret_sealed END AS previous_secret_sealed,
    e.causation ->> 'root_event_id' AS root_event_id, coalesce((e.causation ->> 'depth')::integer, 0) AS depth,
    ${eventBodySql('e', 'd.event')} AS body
  FROM webhook_deliveries d
  LEFT JOIN webhooks w ON w.workspace_id = d.workspace_id AND w.id = d.webhook_id
  LEFT JOIN events e ON e.workspace_id = d.workspace_id AND e.id = d.event_row
  WHERE d.workspace_id = $1 AND d.id = $2`;

/**
 * One statement for the delivery and its endpoint. The endpoint's row is written once a second at most while all is well, or a busy endpoint's attempts would queue on it.
 */
const SETTLE = `
  WITH d AS (
    UPDATE webhook_deliveries d SET
      status = coalesce($3::text, d.status),
      attempt = d.attempt + 1,
      next_attempt_at = CASE WHEN $3::text IS NULL THEN d.next_attempt_at ELSE clock_timestamp() + $4::integer * interval '1 millisecond' END,
      attempts = CASE WHEN jsonb_array_length(d.attempts) >= ${MAX_ATTEMPTS_KEPT} THEN d.attempts - 0 ELSE d.attempts END
        || jsonb_build_array(jsonb_build_object('n', d.attempt + 1) || $5::jsonb),
      response_status = $6::integer,
      response_body = CASE WHEN $7::text IS NOT NULL AND redacted_since(d.event_row) IS NULL THEN $7::text END, duration_ms = $8::integer
    WHERE d.workspace_id = $1 AND d.id = $2
    RETURNING d.id, d.webhook_id, d.status),
  idle AS (
    DELETE FROM ${JOBS} k WHERE k.workspace_id = $1 AND k.kind = '${DELIVERY_JOB}' AND k.subject_id = $2 AND k.state <> 'running'
      AND coalesce((SELECT d.status FROM d), 'gone') NOT IN ('pending', 'retrying')),
  w AS (
    UPDATE webhooks w SET
      failure_count = CASE WHEN $9::boolean THEN 0 WHEN $10::boolean THEN w.failure_count + 1 ELSE w.failure_count END,
      last_delivery_at = now(),
      last_success_at = CASE WHEN $9::boolean THEN now() ELSE w.last_success_at END,
      last_failure_at = CASE WHEN $9::boolean THEN w.last_failure_at ELSE now() END
    FROM d WHERE w.workspace_id = $1 AND w.id = d.webhook_id
      AND (NOT $9::boolean OR w.failure_count > 0 OR coalesce(w.last_success_at < now() - interval '1 second', true)))
  SELECT 1`;

/**
 * A retry of an endpoint that was stopped meanwhile is none any more. After SETTLE, which holds the endpoint's row: whoever was
 * just stopping it is done and seen by this statement, or waits and will find the retry.
 */
const WITHDRAW = `
  WITH d AS (
    UPDATE webhook_deliveries d SET status = 'cancelled', next_attempt_at = NULL
    WHERE d.workspace_id = $1 AND d.id = $2 AND d.status = 'retrying' AND NOT EXISTS (
      SELECT FROM webhooks w WHERE w.workspace_id = d.workspace_id AND w.id = d.webhook_id AND w.is_active)
    RETURNING d.id)
  DELETE FROM ${JOBS} k USING d
  WHERE k.workspace_id = $1 AND k.kind = '${DELIVERY_JOB}' AND k.subject_id = d.id AND k.state <> 'running'`;

/** Reads what is to be delivered and writes down what became of it. */
@Injectable()
export class DeliveryLog implements Redactor, OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly redaction: EventRedaction,
  ) {}

  onModuleInit(): void {
    this.redaction.register(this);
  }

  /** Bodies are made of the event when they are sent or shown; only answers of receivers, who may echo them, are kept. */
  async redact({ events }: Redacted): Promise<void> {
    await this.database.query(
      `UPDATE webhook_deliveries SET response_body = NULL
       WHERE workspace_id = $1 AND webhook_id IN (SELECT id FROM webhooks WHERE workspace_id = $1)
         AND event_row = ANY($2::bigint[]) AND response_body IS NOT NULL`,
      [currentWorkspaceId(), events.map(({ id }) => id)],
    );
  }

  /** The delivery with its endpoint and the body; null when it does not exist. */
  async load(id: number): Promise<DueDelivery | null> {
    const [delivery] = await this.database.read<DueDelivery>({ text: LOAD, values: [currentWorkspaceId(), id] });
    return delivery ?? null;
  }

  /**
   * Records an attempt, inside the transaction that settles it.
   *
   * @param last nothing follows in that transaction
   */
  async record(id: number, attempt: AttemptRecord, last: boolean): Promise<void> {
    const { trigger, startedAt, result, status, retryInMs, counts } = attempt;
    const entry = {
      at: startedAt.toISOString(),
      trigger,
      response_status: result.status,
      duration_ms: result.durationMs,
      error: result.error?.message ?? null,
    };
    const arrived = hasArrived(result);
    const values = [
      currentWorkspaceId(),
      id,
      status,
      retryInMs,
      JSON.stringify(entry),
      result.status,
      result.body,
      result.durationMs,
      arrived,
      counts,
    ];
    const settle = { text: SETTLE, values };
    const withdraw = { text: WITHDRAW, values: [currentWorkspaceId(), id] };
    await this.database.run(status === 'retrying' ? [settle, withdraw] : [settle], last);
  }

  /** What will not be delivered any more. */
  async cancel(id: number): Promise<void> {
    await this.database.run(
      [
        {
          text: `UPDATE webhook_deliveries SET status = 'cancelled', next_attempt_at = NULL WHERE workspace_id = $1 AND id = $2`,
          values: [currentWorkspaceId(), id],
        },
      ],
      true,
    );
  }
}
