import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { JobHandler, Job, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import { JOBS } from '../../platform/queue/job-table';
import { CLEANUP_JOB, DELIVERY_JOB } from './webhook-values';

/** Rows that one statement touches. */
const BATCH = 2_000;

/**
 * A job that is running, or that someone is about to begin, is left to whoever does it: it looks at the endpoint right
 * before it sends. LATERAL and the row addresses of what was locked keep the planner from reading all rows for each one
 * when it knows nothing of the counts.
 */
const CANCEL = `
  WITH chosen AS MATERIALIZED (
    SELECT d.ctid AS delivery, w.ctid AS job FROM webhook_deliveries d CROSS JOIN LATERAL (
      SELECT w.ctid FROM ${JOBS} w
      WHERE w.workspace_id = $1 AND w.kind = '${DELIVERY_JOB}' AND w.subject_id = d.id AND w.state <> 'running'
      LIMIT 1 FOR UPDATE SKIP LOCKED) w
    WHERE d.workspace_id = $1 AND d.webhook_id = $2 AND d.status IN ('pending', 'retrying')
    LIMIT ${BATCH} FOR UPDATE OF d SKIP LOCKED),
  gone AS (
    DELETE FROM ${JOBS} WHERE workspace_id = $1 AND ctid = ANY (ARRAY(SELECT job FROM chosen)) RETURNING 1),
  cancelled AS (
    UPDATE webhook_deliveries SET status = 'cancelled', next_attempt_at = NULL
    WHERE workspace_id = $1 AND ctid = ANY (ARRAY(SELECT delivery FROM chosen)))
  SELECT count(*) FROM gone`;

const FORGET = `
  WITH chosen AS MATERIALIZED (
    SELECT d.ctid AS row FROM webhook_deliveries d WHERE d.workspace_id = $1 AND d.webhook_id = $2 LIMIT ${BATCH} FOR UPDATE),
  gone AS (
    DELETE FROM webhook_deliveries WHERE workspace_id = $1 AND ctid = ANY (ARRAY(SELECT row FROM chosen)) RETURNING 1)
  SELECT count(*) FROM gone`;

/** Takes back what was to be delivered to an endpoint that gets nothing any more, however much it is. */
@Injectable()
export class PendingJobs implements JobHandler, OnModuleInit {
  readonly kind = CLEANUP_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 2;
  readonly leaseMs = 30_000;

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  /**
   * Cancels the deliveries to an endpoint, inside the transaction that stops it.
   *
   * @param forget the endpoint is being deleted, so its deliveries go, too
   */
  async cancel(webhookId: number, forget = false): Promise<void> {
    const count = await this.run(CANCEL, webhookId);
    if (forget || count === BATCH)
      await this.queue.add([{ kind: CLEANUP_JOB, subject_id: webhookId, group_id: webhookId }]);
  }

  /** The rest, batch by batch; nothing for an endpoint that is active again. */
  async perform({ subject_id: webhookId }: Job): Promise<JobOutcome> {
    const count = await this.database.transaction(async () => {
      const [webhook] = await this.database.query<{ is_active: boolean }>(
        `SELECT is_active FROM webhooks WHERE workspace_id = $1 AND id = $2 FOR SHARE`,
        [currentWorkspaceId(), webhookId],
      );
      if (webhook) return webhook.is_active ? 0 : this.run(CANCEL, webhookId);
      return Math.max(await this.run(CANCEL, webhookId), await this.run(FORGET, webhookId));
    });
    return count < BATCH ? {} : { retryInMs: 0 };
  }

  private async run(text: string, webhookId: number): Promise<number> {
    const [rows] = await this.database.batch([{ text, values: [currentWorkspaceId(), webhookId] }]);
    return Number(rows?.[0]?.[0]);
  }
}
