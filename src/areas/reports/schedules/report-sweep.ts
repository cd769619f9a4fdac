import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';
import { laterMoment } from './report-moments';
import { REPORT_MAIL_JOB } from './report-mail.handler';

const EVERY_MS = 5_000;
const BATCH = 200;

interface Due {
  workspace_id: number;
  id: number;
  schedule: string;
  timezone: string;
}

/**
 * Makes jobs of schedules when their moment has come. Claiming it and adding the job is one transaction under row locks, so each is
 * made once, on however many nodes; moments missed while nothing ran are made up for by one mail.
 */
@Injectable()
export class ReportSweep implements OnModuleInit {
  private readonly logger = new Logger(ReportSweep.name);

  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.register('report-schedules', EVERY_MS, () => this.run(), { byClock: true });
  }

  /** One round; inside `Database.system()`. */
  async run(): Promise<typeof RUN_AGAIN | undefined> {
    const due = await this.database.query<Due>(
      `SELECT s.workspace_id, s.id, s.schedule, w.timezone FROM report_schedules s JOIN workspaces w ON w.id = s.workspace_id
       WHERE s.due_at <= now() ORDER BY s.due_at LIMIT ${BATCH} FOR UPDATE OF s SKIP LOCKED`,
    );
    if (due.length === 0) return undefined;
    const clock = await this.database.sandboxes.clocks(due.map(({ workspace_id }) => workspace_id));
    const plans = due.map((each) => ({ ...each, next: this.next(each, clock(each.workspace_id)) }));
    await this.database.query(PLAN, [JSON.stringify(plans)]);
    this.database.afterCommit(() => this.queue.wake());
    return due.length === BATCH ? RUN_AGAIN : undefined;
  }

  private next(report: Due, now: Date): string | null {
    const next = laterMoment(report, now);
    if (next === null) this.logger.warn(`Report schedule ${report.id} never comes round again.`);
    return next;
  }
}

const PLAN = `
  WITH plan AS (
    SELECT * FROM json_to_recordset($1::json) AS v(workspace_id bigint, id bigint, next timestamptz)
  ), planned AS (
    UPDATE report_schedules s SET taken_at = s.due_at, due_at = p.next FROM plan p WHERE s.workspace_id = p.workspace_id AND s.id = p.id
  )
  ${INSERT_JOBS}
  SELECT workspace_id, '${REPORT_MAIL_JOB}', id, id FROM plan`;
