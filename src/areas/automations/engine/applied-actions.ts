import { Injectable } from '@nestjs/common';
import type { Action, Shown } from '../../../platform/area/rules';
import { clockNow } from '../../../platform/context/clock';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { demand } from '../../../platform/context/demand';
import { Database } from '../../../platform/database/database';
import { ApiError, type ErrorDetail, fail } from '../../../platform/errors/api-error';
import type { Changes } from '../../../platform/events/event-rows';
import { JobQueue } from '../../../platform/queue/job-queue';
import { type ExpectedVersions, requireVersion } from '../../../platform/resource/etag';
import { actionSpec } from '../action-catalogue';
import { type Acted, ActionRunner, changedNames } from './action-runner';
import { RecordReader } from './record-reader';
import { type ActionRecord, pseudoRule, type RunRecord, type Turn } from './rule';
import { RuleContext } from './rule-context';
import { recordOf, type RunFrame } from './run-frame';
import { RunReader } from './run-reader';
import { RunWriter } from './run-writer';
import { Turns } from './turns';

/** A comment that the actions wrote, or would write. */
export interface Said {
  body: string;
  is_internal: boolean;
}

/** What actions made of a ticket, or would make of it. */
export interface Applied {
  /** As GET shows it afterwards. */
  ticket: Shown;
  changes: Changes;
  comments: Said[];
  actions: readonly ActionRecord[];
}

/** What is to be done to a ticket. */
export interface Application {
  ticketId: number;
  /** What the log calls it. */
  name: string;
  actions: readonly Action[];
  expected?: ExpectedVersions;
  /** Of `turns`; without them nobody's turn is taken. */
  turns?: ReadonlyMap<Action, Turn>;
}

/** Carries the outcome out of a unit of work that is to be undone. */
class Undone extends Error {
  constructor(readonly applied: Applied) {
    super('A preview leaves nothing behind.');
  }
}

/** Event of what somebody does to a ticket by a set of actions, as the log of runs has it. */
const EVENT = 'macro.applied';

/**
 * Actions that a person applies to a ticket: all of them or none, as that person, with a row in the log of runs. Side effects follow
 * after the commit, like those of automations.
 */
@Injectable()
export class AppliedActions {
  constructor(
    private readonly database: Database,
    private readonly reader: RunReader,
    private readonly records: RecordReader,
    private readonly runner: ActionRunner,
    private readonly writer: RunWriter,
    private readonly queue: JobQueue,
    private readonly shares: Turns,
  ) {}

  /** Whose turn it is where actions share tickets out; call it outside any unit of work. */
  async turns(ticketId: number, actions: readonly Action[]): Promise<ReadonlyMap<Action, Turn>> {
    const seen = await this.database.transaction(() => this.records.read('ticket', ticketId));
    return seen ? this.shares.take(actions, { object: 'ticket', objectId: ticketId, record: seen.record }) : new Map();
  }

  /** @throws ApiError 403, 404, 412, and 422 naming the action that failed: nothing is left of the others then */
  async apply(application: Application): Promise<Applied> {
    return this.database.transaction(() =>
      this.database.savepoint(async () => {
        const { applied, error } = await this.perform(application, false);
        if (error !== null) throw refusal(applied.actions);
        return applied;
      }),
    );
  }

  /** What `apply` would do; failures are told, and nothing is changed or sent. */
  async preview(application: Application): Promise<Applied> {
    try {
      return await this.database.transaction(() =>
        this.database.savepoint(async () => {
          throw new Undone((await this.perform(application, true)).applied);
        }),
      );
    } catch (error) {
      if (error instanceof Undone) return error.applied;
      throw error;
    }
  }

  private async perform(
    { ticketId, name, actions, expected = null, turns }: Application,
    dry: boolean,
  ): Promise<{ applied: Applied; error: string | null }> {
    const startedAt = performance.now();
    demandAll(actions);
    const { hours } = await this.reader.book();
    const { around } = await this.records.lock('ticket', ticketId, null);
    if (!around) fail('not_found', `No ticket ${ticketId}.`);
    requireVersion(expected, around.version);
    const before = around.record;
    const last = await this.lastComment(ticketId);
    const rule = pseudoRule(name, EVENT, actions);
    const event = { type: EVENT, uid: null, actor: current().actor, changes: null, comment: null };
    const causation = { rootEventId: null, depth: 1, automationIds: [] };
    const context = new RuleContext(
      'ticket',
      ticketId,
      event,
      this.records.readable(around),
      hours,
      clockNow(),
      rule,
      causation,
    );
    if (turns) context.turns = turns;
    const acted = await this.runner.run(rule.actions, context, dry, 'refused');
    const { record: ticket } = (await this.records.read('ticket', ticketId)) ?? { record: context.record };
    const names = changedNames(before, ticket);
    const applied: Applied = {
      ticket,
      changes: Object.fromEntries(
        names.map((each) => [each, { from: before[each] ?? null, to: ticket[each] ?? null }]),
      ),
      comments: await this.said(ticketId, last),
      actions: acted.records,
    };
    if (!dry && acted.error === null) await this.log(rule, context, acted, Math.round(performance.now() - startedAt));
    return { applied, error: acted.error };
  }

  private async log(
    rule: ReturnType<typeof pseudoRule>,
    context: RuleContext,
    acted: Acted,
    duration_ms: number,
  ): Promise<void> {
    const root = `macro_${current().requestId}`;
    const frame: RunFrame = { engineRunId: null, eventId: null, rootEventId: root, depth: 0, dry: false, attempt: 1 };
    const base = recordOf(rule, context, frame);
    const record: RunRecord = { ...base, status: 'executed', actions: acted.records, duration_ms };
    await this.writer.write(rule, context, frame, record, acted, false);
    if (acted.effects.length > 0) this.database.afterCommit(() => this.queue.wake());
  }

  private async lastComment(ticketId: number): Promise<number> {
    const [row] = await this.database.query<{ id: number }>(
      `SELECT coalesce(max(id), 0) AS id FROM ticket_comments WHERE workspace_id = $1 AND ticket_id = $2`,
      [currentWorkspaceId(), ticketId],
    );
    return row?.id ?? 0;
  }

  private said(ticketId: number, since: number): Promise<Said[]> {
    return this.database.query<{ body: string; is_internal: boolean }>(
      `SELECT body, is_internal FROM ticket_comments WHERE workspace_id = $1 AND ticket_id = $2 AND id > $3 ORDER BY id`,
      [currentWorkspaceId(), ticketId, since],
    );
  }
}

/** Side effects come later, and then as those of rules: what somebody may not do themselves is refused here. */
function demandAll(actions: readonly Action[]): void {
  for (const { type } of actions) {
    const permission = actionSpec(type)?.permission;
    if (permission !== undefined) demand(permission);
  }
}

function refusal(records: readonly ActionRecord[]): ApiError {
  const details = records.flatMap(({ type, status, error }, index): ErrorDetail[] =>
    status === 'failed'
      ? [{ field: `actions[${index}]`, code: 'failed', message: `${type}: ${error ?? 'failed'}` }]
      : [],
  );
  return new ApiError('validation_error', details[0]?.message ?? 'An action failed.', { details });
}
