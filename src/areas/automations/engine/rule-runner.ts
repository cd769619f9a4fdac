import { Injectable } from '@nestjs/common';
import { evaluate } from '../../../platform/conditions/evaluate';
import { Database } from '../../../platform/database/database';
import { EventRedaction } from '../../../platform/events/event-redaction';
import { JobQueue } from '../../../platform/queue/job-queue';
import { isRecord } from '../../../platform/text/json';
import { type Acted, ActionRunner } from './action-runner';
import { Guards } from './guards';
import { RecordReader } from './record-reader';
import type { Rule, RunRecord } from './rule';
import { recordOf, type RunFrame } from './run-frame';
import { RunWriter } from './run-writer';
import type { RuleContext } from './rule-context';
import { Turns } from './turns';
import { unitAs } from './unit';

/** How a rule ended. */
export interface RuleRun {
  record: RunRecord;
  /** True when the record is in the log; others are written at the end of the run. */
  written: boolean;
  stopped: boolean;
  /** The record the rule was about is gone: nothing is left to be evaluated. */
  gone: boolean;
}

/** Evaluates a rule, and performs it in one transaction when its conditions are met. */
@Injectable()
export class RuleRunner {
  constructor(
    private readonly database: Database,
    private readonly reader: RecordReader,
    private readonly actions: ActionRunner,
    private readonly guards: Guards,
    private readonly writer: RunWriter,
    private readonly queue: JobQueue,
    private readonly turns: Turns,
    private readonly redaction: EventRedaction,
  ) {}

  /** Looks at the record as the context has it first; only a rule that seems to apply locks and reads it again. */
  async run(rule: Rule, context: RuleContext, frame: RunFrame): Promise<RuleRun> {
    const startedAt = performance.now();
    const { version } = context.surroundings;
    const verdict = evaluate(rule.conditions, context);
    const base = { ...recordOf(rule, context, frame), conditions: verdict.trace };
    const end = (record: RunRecord, written: boolean, stopped = false): RuleRun => ({
      record: { ...record, duration_ms: Math.round(performance.now() - startedAt) },
      written,
      stopped,
      gone: false,
    });
    if (!verdict.met) return end(base, false);
    const actor = { type: 'automation' as const, id: rule.id, name: rule.name };
    if (!frame.dry) context.turns = await this.turns.take(rule.actions, context);
    const outcome = await unitAs(this.database, actor, context.causation, () =>
      this.perform(rule, context, frame, base, { startedAt, version }),
    );
    if (outcome === null) return { ...end(base, false), gone: true };
    if (outcome.written) this.queue.wake();
    return end(outcome.record, outcome.written, outcome.stopped);
  }

  /** Inside the unit of work; null when the record is gone. A retried unit begins here again. */
  private async perform(
    rule: Rule,
    context: RuleContext,
    frame: RunFrame,
    base: RunRecord,
    { startedAt, version }: { startedAt: number; version: number },
  ): Promise<{ record: RunRecord; written: boolean; stopped: boolean } | null> {
    const ruleId = frame.dry ? null : rule.id;
    const asked = ruleId === null ? null : this.guards.statement(ruleId, context, frame.rootEventId);
    const { around, row } = await this.reader.lock(context.object, context.objectId, asked);
    if (!around) return null;
    context.replace(around);
    const isForgotten = !frame.dry && (await this.forgotten(context, frame));
    const verdict = around.version === version && !isForgotten ? null : evaluate(rule.conditions, context);
    const record = verdict ? { ...base, conditions: verdict.trace } : base;
    if (verdict && !verdict.met) return { record, written: false, stopped: false };
    if (ruleId !== null) {
      const refusal = await this.guards.refusal({ ...rule, id: ruleId }, context, row);
      if (refusal) return { record: { ...record, status: 'skipped', reason: refusal }, written: false, stopped: false };
    }
    const acted = await this.actions.run(rule.actions, context, frame.dry);
    const stopped = acted.stopped || rule.stop_processing;
    const finished: RunRecord = {
      ...record,
      ...verdictOf(acted),
      actions: acted.records,
      duration_ms: Math.round(performance.now() - startedAt),
    };
    if (finished.status === 'skipped') return { record: finished, written: false, stopped: false };
    if (!frame.dry) await this.writer.write(rule, context, frame, finished, acted, stopped);
    return { record: finished, written: !frame.dry, stopped };
  }

  /** Whether the comment that the event tells of was deleted meanwhile; the context then shows what is left of it. */
  private async forgotten(context: RuleContext, { eventId }: RunFrame): Promise<boolean> {
    if (eventId === null || context.event.comment === null) return false;
    const related = await this.redaction.since(eventId);
    if (isRecord(related?.comment)) context.forget(related.comment);
    return related !== null;
  }
}

/** Where nothing went wrong and nothing was done, the ticket was merged. */
function verdictOf({ records, error }: Acted): Pick<RunRecord, 'status' | 'reason'> {
  const isDone = records.some(({ status }) => status !== 'failed' && status !== 'skipped');
  if (error !== null) return { status: isDone ? 'partial' : 'failed', reason: null };
  return isDone ? { status: 'executed', reason: null } : { status: 'skipped', reason: 'merged' };
}
