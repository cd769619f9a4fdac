import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { sql } from '../../../platform/postgres/statement-batch';
import { JobQueue } from '../../../platform/queue/job-queue';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';
import { CONCERNED, DAYS, held, HOLD_TAG, type TicketRuleName } from './retention-rules';
import { type RetentionRule, RetentionRun } from './retention-run.entity';
import { RETENTION_ACTOR, RETENTION_JOB } from './retention-runner';

const EVERY_MS = 3_600_000;
/** Workspaces that are begun with at a time. */
const BATCH = 50;

/** That a rule has nothing at work; a run whose job was given up goes on. */
const idle = (rule: RetentionRule): string =>
  `NOT EXISTS (SELECT FROM retention_runs u JOIN work q ON q.workspace_id = u.workspace_id AND q.subject_id = u.id
     WHERE u.workspace_id = w.id AND u.rule = '${rule}' AND u.status = 'running' AND q.kind = '${RETENTION_JOB}' AND q.state <> 'dead')`;

const rules = (rule: RetentionRule): string =>
  `(SELECT id, ${DAYS[rule]} AS days, ${HOLD_TAG} AS tag FROM workspaces WHERE ${DAYS[rule]} > 0) w`;

/** Whether a workspace (`w`) has tickets of a kind whose time is over. */
const due = (kind: string): string =>
  `EXISTS (SELECT FROM tickets t WHERE t.workspace_id = w.id AND ${kind}
     AND t.closed_at <= now() - make_interval(days => w.days) AND NOT ${held('w.tag')})`;

/** Workspaces that have tickets for a rule. */
const ofTickets = (rule: TicketRuleName): string =>
  `SELECT w.id AS workspace_id, w.days, '${rule}' AS rule FROM ${rules(rule)} WHERE ${idle(rule)}
     AND (${CONCERNED[rule].map(due).join(' OR ')})`;

/** Logs are looked at once a day. */
const OF_LOGS = `
  SELECT w.id AS workspace_id, w.days, 'logs' AS rule FROM ${rules('logs')} WHERE ${idle('logs')}
    AND NOT EXISTS (SELECT FROM retention_runs u WHERE u.workspace_id = w.id AND u.rule = 'logs' AND u.status = 'completed'
      AND u.created_at > now() - interval '23 hours')`;

interface DueRule extends Record<string, unknown> {
  workspace_id: number;
  days: number;
  rule: RetentionRule;
}

/** Prepared: to plan it takes longer than most runs, of which each move of a sandbox's clock is one. */
const DUE = sql<DueRule>(
  `${[ofTickets('tickets'), ofTickets('anonymise'), OF_LOGS].join(' UNION ALL ')} ORDER BY 1, 3 LIMIT ${BATCH}`.replaceAll(
    /\s+/g,
    ' ',
  ),
);

/** Begins to carry out what workspaces say of how long things are kept. */
@Injectable()
export class RetentionSweep implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly queue: JobQueue,
    @InjectStore(RetentionRun) private readonly runs: Store<RetentionRun>,
    @InjectWorkspaceRepository(RetentionRun) private readonly known: WorkspaceRepository<RetentionRun>,
  ) {}

  onModuleInit(): void {
    this.jobs.register('retention', EVERY_MS, () => this.run(), { byClock: true });
  }

  /** One batch; inside `Database.system()`, or in a sandbox by its clock. */
  private async run(): Promise<typeof RUN_AGAIN | undefined> {
    const { due } = await this.database.batch({ due: DUE });
    for (const { workspace_id: workspaceId, rule, days } of due)
      await this.database.inWorkspace(workspaceId, RETENTION_ACTOR, () =>
        this.database.transaction(() => this.begin(rule, days)),
      );
    return due.length === BATCH ? RUN_AGAIN : undefined;
  }

  /** A run, unless there is one whose job is gone. */
  private async begin(rule: RetentionRule, days: number): Promise<void> {
    const added = await this.runs.insertUnlessThere({ rule, days, status: 'running' });
    const id = added ?? (await this.known.findOne({ select: { id: true }, where: { rule, status: 'running' } }))?.id;
    if (id !== undefined) await this.queue.add([{ kind: RETENTION_JOB, subject_id: id, group_id: id }]);
  }
}
