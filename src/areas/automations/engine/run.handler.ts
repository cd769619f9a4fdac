import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { workingTime } from '../../../platform/calendar/working-time';
import { clockNow } from '../../../platform/context/clock';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { isTransient, toApiError } from '../../../platform/database/database-errors';
import { EventRedaction } from '../../../platform/events/event-redaction';
import { ApiError } from '../../../platform/errors/api-error';
import type { JobHandler, Job, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS, INSERT_JOBS_DUE } from '../../../platform/queue/job-table';
import { RUN_JOB } from './consumer';
import { MAX_DEPTH } from './guards';
import { type RunFacts, RunReader } from './run-reader';
import { RecordReader } from './record-reader';
import type { Rule, RunRecord } from './rule';
import { type RuleRun, RuleRunner } from './rule-runner';
import { recordOf, type RunFrame } from './run-frame';
import { EFFECT_JOB, logStatement } from './run-writer';
import { withoutValues } from './run-redaction';
import { RuleContext } from './rule-context';

/** A rule that is to be looked at later, and when (ISO 8601). */
interface Deferral {
  automation_id: number;
  due_at: string;
}

/** What remains to be written when a run has ended. */
interface EngineOutcome {
  records: RunRecord[];
  deferrals: Deferral[];
  /** The rule that failed for a moment, and why: the run is to be made again. */
  interrupted: { record: RunRecord; because: string } | null;
}

/** Pauses between attempts at a run that was interrupted; the last one again and again. */
const RETRY_AFTER_MS = [250, 1_000, 2_000, 5_000, 15_000, 60_000];
/** About an hour: what fails for so long is not a moment's trouble. */
const MAX_ATTEMPTS = 60;

/**
 * Makes runs of the engine (product reference 4.3): every active rule for the event, in order. A rule that acts does so in a
 * transaction of its own, together with its row in the log; a run that is made again because the process died leaves out
 * the rules that have one.
 */
@Injectable()
export class RunHandler implements JobHandler, OnModuleInit {
  readonly kind = RUN_JOB;
  readonly subjects = 'automation_passes';
  /** One at a time keeps the order of a ticket's events. */
  readonly perGroup = 1;
  readonly perWorkspace = 8;
  readonly leaseMs = 120_000;
  private readonly logger = new Logger(RunHandler.name);

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly reader: RunReader,
    private readonly records: RecordReader,
    private readonly runner: RuleRunner,
    private readonly redaction: EventRedaction,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform(job: Job): Promise<JobOutcome> {
    const facts = await this.reader.open(job.subject_id, job.group_id);
    if (!facts) return {};
    const outcome = await this.evaluate(facts, job.attempt);
    if (!outcome.interrupted) return { settle: () => this.settle(facts, outcome) };
    const { run } = facts;
    const { record, because } = outcome.interrupted;
    const told = logStatement([record], run.id, run.object, run.object_id);
    return {
      because,
      retryInMs: RETRY_AFTER_MS[Math.min(job.attempt, RETRY_AFTER_MS.length) - 1] ?? 0,
      settle: async () => {
        await this.database.run([told]);
      },
    };
  }

  /** All rules of a run, in order. */
  async evaluate(facts: RunFacts, attempt: number): Promise<EngineOutcome> {
    const { run, event, depth, around, book, earlier } = facts;
    const outcome: EngineOutcome = { records: [], deferrals: [], interrupted: null };
    if (!around) return outcome;
    const frame: RunFrame = {
      engineRunId: run.id,
      eventId: run.event_id,
      rootEventId: run.root_event_id,
      depth,
      dry: false,
      attempt,
    };
    let now = around;
    for (const rule of book.rules) {
      const listens = run.automation_id === null ? rule.trigger.event === run.event : rule.id === run.automation_id;
      if (!listens || rule.id === null) continue;
      const before = earlier.find((one) => one.automation_id === rule.id && one.engine_run_id === run.id);
      if (before?.stopped) break;
      if (before) continue;
      const causation = {
        rootEventId: run.root_event_id,
        depth: depth + 1,
        automationIds: [...facts.automationIds, rule.id],
      };
      const context = new RuleContext(run.object, run.object_id, event, now, book.hours, clockNow(), rule, causation);
      const reason = this.notNow({ ...rule, id: rule.id }, facts, context, outcome);
      if (reason !== null) {
        outcome.records.push({ ...recordOf(rule, context, frame), status: 'skipped', reason });
        continue;
      }
      const ruled = await this.attempt(rule, context, frame);
      if ('because' in ruled) {
        const record: RunRecord = { ...recordOf(rule, context, frame), status: 'skipped', reason: 'retry' };
        outcome.interrupted = { record, because: ruled.because };
        break;
      }
      if (ruled.gone) break;
      now = context.surroundings;
      if (!ruled.written) outcome.records.push(ruled.record);
      if (ruled.stopped) break;
    }
    return outcome;
  }

  /** Why a rule is not looked at now: it listens to something else since it began to wait, the chain is too long, or it waits. */
  private notNow(
    rule: Rule & { id: number },
    { run, depth }: RunFacts,
    context: RuleContext,
    outcome: EngineOutcome,
  ): string | null {
    if (rule.trigger.event !== run.event) return 'trigger_changed';
    if (depth > MAX_DEPTH) return 'depth';
    const defer = (at: number, reason: string): string => {
      outcome.deferrals.push({ automation_id: rule.id, due_at: new Date(at).toISOString() });
      return reason;
    };
    const moment = context.now.getTime();
    if (rule.delay_minutes > 0 && !run.waited) return defer(moment + rule.delay_minutes * 60_000, 'delayed');
    if (!rule.only_in_business_hours) return null;
    const time = workingTime(context.hours);
    if (time.isOpen(moment)) return null;
    const opening = time.add(moment, 0);
    return opening === null ? 'never_open' : defer(opening, 'outside_business_hours');
  }

  /**
   * A rule that cannot be run at all is recorded as failed and holds up no other. What fails for a moment only interrupts
   * the run, which is made again from this rule on.
   */
  private async attempt(rule: Rule, context: RuleContext, frame: RunFrame): Promise<RuleRun | { because: string }> {
    try {
      return await this.runner.run(rule, context, frame);
    } catch (error) {
      if (isTransient(error) && frame.attempt < MAX_ATTEMPTS) return { because: toApiError(error).message };
      if (!(error instanceof ApiError)) throw error;
      this.logger.warn(`Automation ${rule.id ?? 'draft'} could not be run: ${error.message}`);
      const around = await this.database.transaction(() => this.records.read(context.object, context.objectId));
      if (around) context.replace(around);
      const record: RunRecord = { ...recordOf(rule, context, frame), status: 'failed', reason: error.message };
      return { record, written: false, stopped: false, gone: around === null };
    }
  }

  /** In the transaction that ends the job: the log, what waits, the side effects; then the run is forgotten. */
  private async settle({ run, event }: RunFacts, { records: made, deferrals }: EngineOutcome): Promise<void> {
    const key = [currentWorkspaceId(), run.id];
    const asks = made.length > 0 && event.comment !== null && run.event_id !== null;
    const isForgotten = asks && (await this.redaction.since(run.event_id ?? 0)) !== null;
    const records = isForgotten
      ? made.map((record) => ({ ...record, conditions: withoutValues(record.conditions, 'comment') }))
      : made;
    await this.database.run([
      ...(records.length > 0 ? [logStatement(records, run.id, run.object, run.object_id)] : []),
      ...(deferrals.length > 0 ? [{ text: DEFER, values: [...key, JSON.stringify(deferrals)] }] : []),
      { text: RELEASE, values: key },
      { text: `DELETE FROM automation_passes WHERE workspace_id = $1 AND id = $2`, values: key },
    ]);
    this.database.afterCommit(() => this.queue.wake());
  }
}

const DEFER = `
  WITH waiting AS (SELECT * FROM json_to_recordset($3::json) AS v(automation_id bigint, due_at timestamptz)), run AS (
    INSERT INTO automation_passes (workspace_id, event_id, event, object, object_id, automation_id, root_event_id, waited)
    SELECT $1, p.event_id, p.event, p.object, p.object_id, w.automation_id, p.root_event_id, true
    FROM waiting w, automation_passes p
    WHERE p.workspace_id = $1 AND p.id = $2
      AND EXISTS (SELECT FROM automations a WHERE a.workspace_id = $1 AND a.id = w.automation_id)
    RETURNING id, object_id, automation_id
  )
  ${INSERT_JOBS_DUE}
  SELECT $1, '${RUN_JOB}', r.id, r.object_id, w.due_at FROM run r JOIN waiting w USING (automation_id) ORDER BY r.id`;

const RELEASE = `
  ${INSERT_JOBS}
  SELECT workspace_id, '${EFFECT_JOB}', id, object_id FROM automation_effects WHERE workspace_id = $1 AND pass_id = $2 ORDER BY id`;
