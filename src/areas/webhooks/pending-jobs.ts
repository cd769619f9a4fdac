import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import type { JobHandler, Job, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import { JOBS } from '../../platform/queue/job-table';
import { CLEANUP_JOB, DELIVERY_JOB } from './webhook-values';
import { Webhook } from './webhook.entity';

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
  SELECT count(*) AS rows FROM gone`;

const FORGET = `
  WITH chosen AS MATERIALIZED (
    SELECT d.ctid AS row FROM webhook_deliveries d WHERE d.workspace_id = $1 AND d.webhook_id = $2 LIMIT ${BATCH} FOR UPDATE),
  gone AS (
    DELETE FROM webhook_deliveries WHERE workspace_id = $1 AND ctid = ANY (ARRAY(SELECT row FROM chosen)) RETURNING 1)
  SELECT count(*) AS rows FROM gone`;

/** Takes back what was to be delivered to an endpoint that gets nothing any more, however much it is. */
@Injectable()
export class PendingJobs implements JobHandler, OnModuleInit {
  readonly kind = CLEANUP_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 2;
  readonly leaseMs = 30_000;

  constructor(
    @InjectWorkspaceRepository(Webhook) private readonly endpoints: WorkspaceRepository<Webhook>,
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
      const webhook = await this.endpoints.findOne({
        select: { is_active: true },
        where: { id: webhookId },
        lock: { mode: 'pessimistic_read' },
      });
      if (webhook) return webhook.is_active ? 0 : this.run(CANCEL, webhookId);
      return Math.max(await this.run(CANCEL, webhookId), await this.run(FORGET, webhookId));
    });
    return count < BATCH ? {} : { retryInMs: 0 };
  }

  private async run(text: string, webhookId: number): Promise<number> {
    const [done] = await this.database.read<{ rows: number }>({ text, values: [currentWorkspaceId(), webhookId] });
    return done?.rows ?? 0;
  }
}
