import { Injectable } from '@nestjs/common';
import { clockNow } from '../../platform/context/clock';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { invalid } from '../../platform/errors/api-error';
import { type ListResult, SingleResult } from '../../platform/http/results';
import { JobQueue } from '../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../platform/queue/job-table';
import { type ExpectedVersions, requireVersion } from '../../platform/resource/etag';
import { type ListParams, Reader } from '../../platform/resource/reader';
import { Store } from '../../platform/resource/store';
import { InjectReader, InjectStore } from '../../platform/resource/store.module';
import { ownJson } from '../../platform/text/json';
import { fitted, MAX_BODY_BYTES } from './delivery-body';
import { WebhookDelivery } from './delivery.entity';
import { DELIVERY_JOB, REDELIVERY_JOB } from './webhook-values';
import type { RecoverDeliveries } from './webhook.dto';
import { Webhook } from './webhook.entity';
import { FlagMember, IntegerMember } from '../../platform/http/answer-members';

/** How many deliveries one call may queue. */
export const MAX_QUEUED = 10_000;

/** What a call has queued. */
export class Queued {
  @IntegerMember({
    description: 'At most 10,000; by a replay also what else happened at the moment of the last of them.',
  })
  queued: number;

  @FlagMember({ description: 'false: there is more; call again.' })
  complete: boolean;
}

/** Figures of an endpoint. */
export class WebhookStats {
  @IntegerMember()
  success: number;

  @IntegerMember()
  failed: number;

  @IntegerMember({ description: 'Waiting for their first or next attempt.' })
  pending: number;

  @IntegerMember({ nullable: true, description: 'Half of the last attempts took no longer.' })
  p50_ms: number | null;

  @IntegerMember({ nullable: true })
  p95_ms: number | null;

  @IntegerMember()
  consecutive_failures: number;
}

const RECOVER = `
  WITH chosen AS MATERIALIZED (
    SELECT d.ctid AS row FROM webhook_deliveries d
    WHERE d.workspace_id = $1 AND d.webhook_id = $2 AND d.status IN ('failed', 'cancelled')
      AND d.created_at >= $3::timestamptz AND d.created_at < $4::timestamptz
    ORDER BY d.created_at, d.id LIMIT ${MAX_QUEUED} FOR UPDATE),
  d AS (
    UPDATE webhook_deliveries d SET status = 'pending'
    WHERE d.workspace_id = $1 AND d.ctid = ANY (ARRAY(SELECT row FROM chosen)) RETURNING d.id),
  queued AS (
    ${INSERT_JOBS}
    SELECT $1, '${DELIVERY_JOB}', d.id, $2 FROM d ORDER BY d.id)
  SELECT count(*) AS queued FROM d`;

/** Figures of the last 24 hours; what waits is counted whatever its age. */
const STATS = `
  SELECT recent.*, (
      SELECT count(*) FROM webhook_deliveries d
      WHERE d.workspace_id = $1 AND d.webhook_id = $2 AND d.status IN ('pending', 'retrying')) AS pending,
    w.failure_count AS consecutive_failures
  FROM webhooks w, LATERAL (
    SELECT count(*) FILTER (WHERE d.status = 'succeeded') AS success,
      count(*) FILTER (WHERE d.status = 'failed') AS failed,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY d.duration_ms) AS p50_ms,
      percentile_disc(0.95) WITHIN GROUP (ORDER BY d.duration_ms) AS p95_ms
    FROM webhook_deliveries d
    WHERE d.workspace_id = $1 AND d.webhook_id = $2 AND d.created_at > now() - interval '24 hours') recent
  WHERE w.workspace_id = $1 AND w.id = $2`;

/** What was and will be delivered to an endpoint. */
@Injectable()
export class DeliveriesService {
  constructor(
    @InjectReader(WebhookDelivery) private readonly records: Reader<WebhookDelivery>,
    @InjectStore(Webhook) private readonly webhooks: Store<Webhook>,
    @InjectWorkspaceRepository(Webhook) private readonly endpoints: WorkspaceRepository<Webhook>,
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  async listOf(webhookId: number, params: ListParams): Promise<ListResult> {
    await this.webhooks.require(webhookId);
    const page = await this.records.list(params, { webhook_id: webhookId });
    const isShort = Buffer.byteLength(page.json) <= MAX_BODY_BYTES && !page.table;
    return isShort ? page : page.withRecords(asSent);
  }

  async readOf(webhookId: number, id: number): Promise<SingleResult> {
    await this.webhooks.require(webhookId);
    const found = await this.records.read(id, { webhook_id: webhookId });
    if (Buffer.byteLength(found.json) <= MAX_BODY_BYTES) return found;
    return new SingleResult(JSON.stringify(asSent(ownJson(found.json))), found.etag, found.status);
  }

  /** Queues one more attempt, whatever became of the earlier ones. */
  async redeliver(webhookId: number, id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      await this.records.require(id, expected);
      const shown = await this.readOf(webhookId, id);
      await this.requireActive(webhookId);
      await this.queue.add([{ kind: REDELIVERY_JOB, subject_id: id, group_id: webhookId }]);
      return new SingleResult(shown.json, null, 202);
    });
  }

  /** Queues again what failed or was cancelled, from the first attempt on. */
  async recover(webhookId: number, { since, until }: RecoverDeliveries, expected: ExpectedVersions): Promise<Queued> {
    const range = requireRange(since, until);
    return this.database.transaction(async () => {
      await this.requireActive(webhookId, expected);
      const values = [currentWorkspaceId(), webhookId, ...range];
      const [row] = await this.database.read<{ queued: number }>({ text: RECOVER, values });
      this.database.afterCommit(() => this.queue.wake());
      const queued = row?.queued ?? 0;
      return { queued, complete: queued < MAX_QUEUED };
    });
  }

  async stats(webhookId: number): Promise<WebhookStats> {
    const [row] = await this.database.read<WebhookStats>({ text: STATS, values: [currentWorkspaceId(), webhookId] });
    return row ?? this.webhooks.missing(webhookId);
  }

  /** 404 without the endpoint, 412, 422 when it gets nothing; holds it as it is until the end of the transaction. */
  async requireActive(webhookId: number, expected: ExpectedVersions = null): Promise<string[]> {
    const webhook = await this.endpoints.findOne({
      select: { is_active: true, status: true, events: true, version: true },
      where: { id: webhookId },
      lock: { mode: 'pessimistic_read' },
    });
    if (!webhook) this.webhooks.missing(webhookId);
    requireVersion(expected, webhook.version);
    if (!webhook.is_active) {
      invalid('is_active', 'inactive', `The webhook is ${webhook.status}: PATCH it with {"is_active": true} first.`);
    }
    return webhook.events;
  }
}

/** From and until as timestamps; 422 when they enclose nothing. */
export function requireRange(since: string, until: string | undefined): [string, string] {
  const [from, to] = [new Date(since), until === undefined ? clockNow() : new Date(until)];
  if (from >= to) invalid('since', 'max', '"since" must be before "until", or in the past.');
  return [from.toISOString(), to.toISOString()];
}

/** The stored event may be longer than what was sent of it. */
function asSent(delivery: Record<string, unknown>): Record<string, unknown> {
  const { request_body } = delivery;
  return typeof request_body === 'string' ? { ...delivery, request_body: fitted(request_body) } : delivery;
}
