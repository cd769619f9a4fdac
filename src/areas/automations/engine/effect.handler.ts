// Own reads: side effects of automations are measured, and a repository compiles its SQL each time.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Action, EffectAction, Prepared, Sent } from '../../../platform/area/rules';
import type { Causation } from '../../../platform/context/causation';
import { clockNow } from '../../../platform/context/clock';
import { type Actor, currentWorkspaceId } from '../../../platform/context/current';
import { isTransient } from '../../../platform/database/database-errors';
import { Database } from '../../../platform/database/database';
import { CALL_RETRIES, retryDelayMs } from '../../../platform/delivery/retries';
import { EventRedaction } from '../../../platform/events/event-redaction';
import { ApiError } from '../../../platform/errors/api-error';
import type { JobHandler, Job, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { ActionExecutors } from './action-executors';
import { RunReader } from './run-reader';
import { RecordReader } from './record-reader';
import type { ActionRecord, RunStatus } from './rule';
import { EFFECT_JOB, RunWriter } from './run-writer';
import { RuleContext } from './rule-context';
import { unitAs } from './unit';

/** A row of `automation_effects`. */
interface Effect {
  id: number;
  run_id: number | null;
  action_index: number;
  automation_id: number | null;
  automation_name: string;
  event: string;
  event_id: number | null;
  object: string;
  object_id: number;
  payload: Action;
  prepared: Prepared | null;
  causation: Causation;
}

/** Performs the side effects of rules, after their runs. */
@Injectable()
export class EffectHandler implements JobHandler, OnModuleInit {
  readonly kind = EFFECT_JOB;
  readonly subjects = 'automation_effects';
  readonly perGroup = 4;
  readonly perWorkspace = 16;
  readonly leaseMs = 60_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly reader: RunReader,
    private readonly records: RecordReader,
    private readonly executors: ActionExecutors,
    private readonly writer: RunWriter,
    private readonly redaction: EventRedaction,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform(job: Job): Promise<JobOutcome> {
    const startedAt = performance.now();
    const effect = await this.find(job.subject_id);
    if (!effect) return {};
    const executor = this.executors.get(effect.payload.type);
    const known = executor?.kind === 'effect' ? executor : null;
    let prepared: Prepared | null = null;
    let sent: Sent;
    try {
      if (!known) throw new ApiError('validation_error', 'There is no such action.');
      prepared = effect.prepared ?? (await this.prepare(effect, known));
      sent = (await known.send?.(prepared, this.context(effect, job.attempt))) ?? { ok: true };
    } catch (error) {
      if (!(error instanceof ApiError) || error.type === 'service_unavailable') throw error;
      sent = { ok: false, error: error.message, retry: false };
    }
    const pause = sent.ok || !sent.retry ? null : retryDelayMs(CALL_RETRIES, job.attempt, null);
    if (pause !== null) return { retryInMs: pause, settle: () => this.keep(effect, prepared) };
    const durationMs = Math.round(performance.now() - startedAt);
    return { settle: () => this.settle(effect, known, prepared, sent, job.attempt, durationMs) };
  }

  private async find(id: number): Promise<Effect | null> {
    return this.database.transaction(async () => {
      const [row] = await this.database.query<{ effect: Effect }>(
        `SELECT row_to_json(e) AS effect FROM automation_effects e WHERE workspace_id = $1 AND id = $2`,
        [currentWorkspaceId(), id],
      );
      return row?.effect ?? null;
    });
  }

  /** Rendered against the record as the run has left it, and the event as it was. */
  private async prepare(effect: Effect, executor: EffectAction): Promise<Prepared> {
    const { hours } = await this.reader.book();
    return this.database.transaction(async () => {
      const around = await this.records.read(effect.object, effect.object_id);
      if (!around) throw new ApiError('not_found', `The ${effect.object} no longer exists.`);
      const { event } = await this.reader.event(effect.event, effect.event_id);
      const automation = { id: effect.automation_id, name: effect.automation_name };
      const context = new RuleContext(
        effect.object,
        effect.object_id,
        event,
        around,
        hours,
        clockNow(),
        automation,
        effect.causation,
      );
      return executor.prepare(effect.payload, context);
    });
  }

  private async keep({ id, event_id: eventId }: Effect, made: Prepared | null): Promise<void> {
    const isForgotten = made !== null && eventId !== null && (await this.redaction.since(eventId)) !== null;
    const prepared = isForgotten ? null : made;
    await this.database.query(
      `UPDATE automation_effects SET prepared = $3::jsonb WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), id, prepared ? JSON.stringify(prepared) : null],
    );
  }

  /** In the transaction that ends the job: what is written for the effect, and how it ended. */
  private async settle(
    effect: Effect,
    executor: EffectAction | null,
    made: Prepared | null,
    sent: Sent,
    attempt: number,
    durationMs: number,
  ): Promise<void> {
    const prepared = made && executor && (await this.upToDate(effect, executor, made));
    let outcome: Sent = made && !prepared ? { ok: false, error: 'What it was about is gone.', retry: false } : sent;
    if (outcome.ok && prepared && executor.commit) {
      outcome = await this.commit(effect, executor.commit.bind(executor), prepared, attempt);
    }
    const shown = prepared ? executor.shown(prepared) : null;
    const after = outcome.ok ? { ...shown, ...outcome.after } : shown;
    await this.record(effect, {
      type: effect.payload.type,
      status: outcome.ok ? 'done' : 'failed',
      before: null,
      after,
      error: outcome.ok ? null : outcome.error,
      duration_ms: durationMs,
    });
    await this.database.query(`DELETE FROM automation_effects WHERE workspace_id = $1 AND id = $2`, [
      currentWorkspaceId(),
      effect.id,
    ]);
  }

  /** Rendered anew where a text has left the event meanwhile; null when the record itself is gone. */
  private async upToDate(effect: Effect, executor: EffectAction, prepared: Prepared): Promise<Prepared | null> {
    if (effect.event_id === null || (await this.redaction.since(effect.event_id)) === null) return prepared;
    try {
      return await this.prepare(effect, executor);
    } catch (error) {
      if (error instanceof ApiError && error.type !== 'service_unavailable') return null;
      throw error;
    }
  }

  private async commit(
    effect: Effect,
    commit: NonNullable<EffectAction['commit']>,
    prepared: Prepared,
    attempt: number,
  ): Promise<Sent> {
    const actor: Actor = { type: 'automation', id: effect.automation_id, name: effect.automation_name };
    try {
      const after = await unitAs(this.database, actor, effect.causation, () =>
        this.database.savepoint(() => commit(prepared, this.context(effect, attempt))),
      );
      return { ok: true, after };
    } catch (error) {
      if (!(error instanceof ApiError) || isTransient(error)) throw error;
      return { ok: false, error: error.message, retry: false };
    }
  }

  /** Completes the entry of the log; a failure is told as an event, too. */
  private async record(effect: Effect, entry: ActionRecord): Promise<void> {
    const [run] = await this.database.query<{ actions: ActionRecord[] }>(
      `SELECT actions FROM automation_runs WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
      [currentWorkspaceId(), effect.run_id],
    );
    if (run && effect.run_id !== null) {
      const actions = run.actions.map((action, index) => (index === effect.action_index ? entry : action));
      await this.database.query(
        `UPDATE automation_runs SET actions = $3::jsonb, status = $4 WHERE workspace_id = $1 AND id = $2`,
        [currentWorkspaceId(), effect.run_id, JSON.stringify(actions), statusOf(actions)],
      );
    }
    if (entry.status !== 'failed' || effect.automation_id === null) return;
    const automationId = effect.automation_id;
    const actor: Actor = { type: 'automation', id: automationId, name: effect.automation_name };
    await unitAs(this.database, actor, effect.causation, () =>
      this.writer.failedLater(automationId, effect.run_id ?? 0, entry, effect),
    );
  }

  private context(
    { id, object, object_id }: Effect,
    attempt: number,
  ): Parameters<NonNullable<EffectAction['send']>>[1] {
    return { id, attempt, object, object_id };
  }
}

function statusOf(actions: readonly ActionRecord[]): RunStatus {
  const failed = actions.filter(({ status }) => status === 'failed' || status === 'skipped').length;
  if (!actions.some(({ status }) => status === 'failed')) return 'executed';
  return failed === actions.length ? 'failed' : 'partial';
}
