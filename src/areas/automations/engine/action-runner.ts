import { Injectable, Logger } from '@nestjs/common';
import type { Action, ActionExecutor, Shown } from '../../../platform/area/rules';
import { Database } from '../../../platform/database/database';
import { isTransient } from '../../../platform/database/database-errors';
import { ApiError } from '../../../platform/errors/api-error';
import { shortened } from '../../../platform/text/normalise';
import { ActionExecutors } from './action-executors';
import { RecordReader } from './record-reader';
import type { ActionRecord } from './rule';
import type { RuleContext } from './rule-context';

/** What the actions of a rule came to. */
export interface Acted {
  records: ActionRecord[];
  /** Side effects that are to follow, by the index of their action. */
  effects: { action_index: number; payload: Action }[];
  stopped: boolean;
  /** The first thing that went wrong; null = nothing did. */
  error: string | null;
}

const UNTOLD = new Set(['updated_at', 'escalations']);
const MAX_SHOWN = 500;

/** Performs the actions of a rule, one after the other, in the open unit of work. */
@Injectable()
export class ActionRunner {
  private readonly logger = new Logger(ActionRunner.name);

  constructor(
    private readonly database: Database,
    private readonly executors: ActionExecutors,
    private readonly reader: RecordReader,
  ) {}

  /**
   * @param dry side effects are prepared, to show what they would be, and not queued
   * @param merged what becomes of actions that would change a ticket that was merged into another
   */
  async run(
    actions: readonly Action[],
    context: RuleContext,
    dry: boolean,
    merged: 'skipped' | 'refused' = 'skipped',
  ): Promise<Acted> {
    const acted: Acted = { records: [], effects: [], stopped: false, error: null };
    let given = false;
    for (const [index, action] of actions.entries()) {
      if (acted.stopped || given) {
        acted.records.push(entry(action, 'skipped'));
        continue;
      }
      if (merged === 'skipped' && this.comesTooLate(action, context)) {
        acted.records.push({ ...entry(action, 'skipped'), error: 'The ticket was merged into another.' });
        continue;
      }
      const startedAt = performance.now();
      const record = await this.attempt(action, index, context, acted, dry);
      record.duration_ms = Math.round(performance.now() - startedAt);
      acted.records.push(record);
      if (record.status !== 'failed') continue;
      acted.error ??= record.error;
      given = action.on_error === 'stop';
    }
    return acted;
  }

  /** A merged ticket may not change any more; what follows outside of it still does. */
  private comesTooLate({ type }: Action, { object, record }: RuleContext): boolean {
    const isMerged = object === 'ticket' && typeof record.merged_into_id === 'number';
    return isMerged && this.executors.get(type)?.kind === 'direct';
  }

  private async attempt(
    action: Action,
    index: number,
    context: RuleContext,
    acted: Acted,
    dry: boolean,
  ): Promise<ActionRecord> {
    try {
      const executor = this.executors.get(action.type);
      if (!executor)
        throw new ApiError('validation_error', `There is no action "${action.type}" in this installation.`);
      const { objects } = executor;
      if (objects && !objects.includes(context.object))
        throw new ApiError(
          'validation_error',
          `"${action.type}" needs a ${objects.join(' or ')}, and the event is about a ${context.object}.`,
        );
      return await this.perform(executor, action, index, context, acted, dry);
    } catch (error) {
      // Not this action's fault: the whole rule is done again.
      if (isTransient(error)) throw error;
      return { ...entry(action, 'failed'), error: this.told(action, error) };
    }
  }

  private async perform(
    executor: ActionExecutor,
    action: Action,
    index: number,
    context: RuleContext,
    acted: Acted,
    dry: boolean,
  ): Promise<ActionRecord> {
    if (executor.kind === 'stop') {
      acted.stopped = true;
      return entry(action, 'stopped');
    }
    if (executor.kind === 'effect') {
      if (dry) {
        const prepared = await this.database.savepoint(() => executor.prepare(action, context));
        return { ...entry(action, 'queued'), after: executor.shown(prepared) };
      }
      acted.effects.push({ action_index: index, payload: action });
      return entry(action, 'queued');
    }
    const before = context.surroundings;
    await this.database.savepoint(() => executor.execute(action, context));
    const after = await this.reader.read(context.object, context.objectId);
    if (!after || after.version === before.version) return entry(action, 'unchanged');
    context.replace(after);
    const names = changedNames(before.record, after.record);
    return { ...entry(action, 'done'), before: picked(before.record, names), after: picked(after.record, names) };
  }

  private told(action: Action, error: unknown): string {
    if (error instanceof ApiError) return error.message;
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    this.logger.error(`Action "${action.type}" failed: ${message}`, stack);
    return 'The action failed because of an internal error.';
  }
}

function entry({ type }: Action, status: ActionRecord['status']): ActionRecord {
  return { type, status, before: null, after: null, error: null, duration_ms: 0 };
}

/** What of a record differs, but for what follows from any change. */
export function changedNames(before: Shown, after: Shown): string[] {
  return Object.keys(after).filter(
    (name) => !UNTOLD.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

function picked(record: Shown, names: readonly string[]): Shown {
  const short = (value: unknown): unknown => (typeof value === 'string' ? shortened(value, MAX_SHOWN) : value);
  return Object.fromEntries(names.map((name) => [name, short(record[name])]));
}
