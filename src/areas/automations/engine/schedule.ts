import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { nextTick } from '../../../platform/calendar/next-tick';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';
import { SCHEDULE } from '../rule-fields';
import type { Trigger } from './rule';

export const TICK_JOB = 'automation_tick';

const EVERY_MS = 1_000;
const BATCH = 500;

interface Due {
  workspace_id: number;
  id: number;
  trigger: Trigger;
  /** Only to be planned: the schedule is new or was changed, and whoever wrote it did not plan it. */
  is_new: boolean;
}

/**
 * Makes jobs of schedules when their time has come. The next tick is stored with the rule; claiming it and adding the job
 * is one transaction under row locks, so each tick is made once, on however many nodes. Ticks missed while nothing ran
 * are made up for by one.
 */
@Injectable()
export class AutomationSchedule implements OnModuleInit {
  private readonly logger = new Logger(AutomationSchedule.name);

  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.register('automation-schedule', EVERY_MS, () => this.run(), { byClock: true });
  }

  /** One round; inside `Database.system()`. */
  async run(): Promise<typeof RUN_AGAIN | undefined> {
    const due = await this.database.query<Due>(
      `SELECT workspace_id, id, trigger, next_run_at = '-infinity' AS is_new FROM automations
       WHERE next_run_at <= now() ORDER BY next_run_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
    );
    if (due.length === 0) return undefined;
    const clock = await this.database.sandboxes.clocks(due.map(({ workspace_id }) => workspace_id));
    const plans = due.map(({ workspace_id, id, trigger, is_new }) => ({
      workspace_id,
      id,
      next: this.next(id, trigger, clock(workspace_id)),
      fires: !is_new,
    }));
    await this.database.query(PLAN, [JSON.stringify(plans)]);
    if (plans.some(({ fires }) => fires)) this.database.afterCommit(() => this.queue.wake());
    return due.length === BATCH ? RUN_AGAIN : undefined;
  }

  /** Plans the rule by the time of the current unit of work, where that has made it a schedule or changed when it ticks. */
  async plan(id: number, trigger: Trigger | undefined): Promise<void> {
    if (trigger?.event !== SCHEDULE) return;
    const next = this.next(id, trigger, new Date(await this.database.moment()));
    await this.database.query(
      `UPDATE automations SET next_run_at = $3 WHERE workspace_id = $1 AND id = $2 AND next_run_at = '-infinity'`,
      [currentWorkspaceId(), id, next],
    );
  }

  /** ISO 8601; null for a schedule that never comes round (it was valid when it was written). */
  private next(id: number, { cron = '', timezone = 'UTC' }: Trigger, now: Date): string | null {
    try {
      return nextTick(cron, timezone, now).toISOString();
    } catch (error) {
      this.logger.warn(
        `Automation ${id} has a schedule that cannot be kept: ${error instanceof Error ? error.message : String(error)}`,
      );
      return null;
    }
  }
}

const PLAN = `
  WITH plan AS (
    SELECT * FROM json_to_recordset($1::json) AS v(workspace_id bigint, id bigint, next timestamptz, fires boolean)
  ), planned AS (
    UPDATE automations a SET next_run_at = p.next FROM plan p WHERE a.workspace_id = p.workspace_id AND a.id = p.id
  )
  ${INSERT_JOBS}
  SELECT workspace_id, '${TICK_JOB}', id, id FROM plan WHERE fires`;
