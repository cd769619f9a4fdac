import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, current, currentWorkspaceId } from '../context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { Database } from '../database/database';
import { sql } from '../postgres/statement-batch';
import { JobQueue } from '../queue/job-queue';
import { PeriodicJobs, RUN_AGAIN } from '../schedule/periodic-jobs';

/** Kind of the job that empties a sandbox: as long as it is not over, nothing is settled. */
export const RESET_JOB = 'sandbox_reset';

const NAME = 'keep-sandboxes';
const EVERY_MS = 1_000;
/** Sandboxes that a node looks after at one time. */
const AT_ONCE = 4;
/** How long it stays with one that does not come to rest; then others have their turn. */
const PATIENCE_MS = 4_000;
const PAUSE_MS = 40;
const SYSTEM: Actor = { type: 'system', id: null, name: 'system' };

/**
 * Those whose clock is ahead: each second until all is done that a move brought about; later the less often the longer nobody has
 * moved it, down to once a minute after twenty. What is due there is found by no one else.
 */
const CLAIM = `
  UPDATE sandboxes SET looked_at = now() WHERE workspace_id IN (
    SELECT workspace_id FROM sandboxes WHERE ahead_ms > 0 AND looked_at <= now() - CASE
      WHEN settled_ms < ahead_ms THEN interval '900 milliseconds'
      ELSE least(greatest((now() - moved_at) / 20, interval '900 milliseconds'), interval '1 minute') END
    ORDER BY looked_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
  RETURNING workspace_id`;

/** Jobs that are due by the clock of the workspace are due. */
const RELEASE = `
  UPDATE work SET state = 'waiting', due_at = pg_catalog.now()
  WHERE workspace_id = $1 AND state = 'scheduled' AND due_at <= now() RETURNING 1`;

/** Whether something is being done, and what happened last. */
const STATE = `
  SELECT EXISTS (SELECT FROM event_outbox WHERE workspace_id = $1 AND retry_at IS NULL)
    OR EXISTS (SELECT FROM work WHERE workspace_id = $1 AND (state IN ('waiting', 'running') OR kind = '${RESET_JOB}' AND state <> 'dead')) AS busy,
    (SELECT max(id) FROM events WHERE workspace_id = $1) AS event`;

/**
 * Lets time pass in sandboxes whose clock is ahead: what has come due by it is done by the very jobs that do it elsewhere, within the
 * workspace and by its clock, again and again until nothing more follows. Ordinary workspaces have no part in it; where there is no
 * sandbox, nothing is asked.
 */
@Injectable()
export class SandboxKeeper implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: PeriodicJobs,
    private readonly queue: JobQueue,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'role'>,
  ) {}

  onModuleInit(): void {
    this.jobs.register(NAME, EVERY_MS, () => this.run(), { everyNode: true });
  }

  /** A clock was moved: this node looks at once, where it does such work; else another does within a second. Never throws. */
  wake(): void {
    if (this.config.role !== 'api') void this.jobs.runNow(NAME);
  }

  /** Whether anything is being done in the current workspace, or about to be. */
  async isBusy(): Promise<boolean> {
    return (await this.state()).busy;
  }

  private async run(): Promise<typeof RUN_AGAIN | undefined> {
    if (!this.database.sandboxes.exist) return undefined;
    const { claimed } = await this.database.bookkeeping(() =>
      this.database.batch({ claimed: sql<{ workspace_id: number }>(CLAIM) }, true),
    );
    const each = claimed.map(({ workspace_id }) =>
      this.database.inWorkspace(workspace_id, SYSTEM, () => this.letTimePass()),
    );
    for (const outcome of await Promise.allSettled(each)) if (outcome.status === 'rejected') throw outcome.reason;
    return claimed.length === AT_ONCE ? RUN_AGAIN : undefined;
  }

  /** In the workspace: until a whole round has found nothing to do, and nothing is left from before. */
  private async letTimePass(): Promise<void> {
    const endsAt = performance.now() + PATIENCE_MS;
    for (let before = await this.state(); ;) {
      const isMore = await this.jobs.runByClock();
      const released = await this.release();
      const after = await this.state();
      const isQuiet = !isMore && released === 0 && !before.busy && !after.busy && before.event === after.event;
      if (isQuiet) return this.settled();
      if (performance.now() > endsAt) return;
      before = after;
      await sleep(PAUSE_MS);
    }
  }

  private async release(): Promise<number> {
    const { released } = await this.database.transaction(() =>
      this.database.batch({ released: { text: RELEASE, values: [currentWorkspaceId()] } }, true),
    );
    if (released.length > 0) this.queue.wake();
    return released.length;
  }

  private async state(): Promise<{ busy: boolean; event: number | null }> {
    const [state] = await this.database.read(
      sql<{ busy: boolean; event: number | null }>(STATE, [currentWorkspaceId()]),
    );
    return state ?? { busy: false, event: null };
  }

  /** By the clock that this round went by: it may have been moved on meanwhile. */
  private settled(): Promise<void> {
    const text = `UPDATE sandboxes SET settled_ms = $2 WHERE workspace_id = $1 AND settled_ms < $2`;
    const values = [currentWorkspaceId(), current().clockAheadMs];
    return this.database.transaction(() => this.database.run([{ text, values }], true));
  }
}
