import { Injectable } from '@nestjs/common';
import type { Action } from './rule';
import type { RuleContext, Shown } from './rule-context';

/** Acts at once, in the transaction of the rule, behind a savepoint: an error is recorded and undoes only this action. */
export interface DirectAction {
  readonly type: string;
  readonly kind: 'direct';
  /** True when it acts on the ticket of the event, so that it makes no sense on events about other records. */
  readonly needsTicket: boolean;
  execute(action: Action, context: RuleContext): Promise<void>;
}

/** A side effect that is to happen, whole and rendered: plain JSON. */
export type Prepared = Readonly<Record<string, unknown>>;

/** How an attempt to send ended; `retry` says whether another one could help. */
export type Sent = { ok: true; after?: Shown } | { ok: false; error: string; retry: boolean };

/** What a side effect is told about itself. */
export interface EffectContext {
  id: number;
  attempt: number;
  object: string;
  object_id: number;
}

/** Acts after the run, once everything that rules change is changed. */
export interface EffectAction {
  readonly type: string;
  readonly kind: 'effect';
  readonly needsTicket: boolean;
  /** What will happen, inside a unit of work. @throws ApiError when it cannot happen, e.g. there is no recipient */
  prepare(action: Action, context: RuleContext): Promise<Prepared>;
  /** What the log shows of it; secrets left out. */
  shown(prepared: Prepared): Shown;
  /** Reaches outside PostgreSQL; outside any transaction, possibly twice. */
  send?(prepared: Prepared, context: EffectContext): Promise<Sent>;
  /** Writes to PostgreSQL, in the transaction that ends the effect: exactly once. Answers what the log should add. */
  commit?(prepared: Prepared, context: EffectContext): Promise<Shown>;
}

/** Ends the run. */
export interface StopAction {
  readonly type: string;
  readonly kind: 'stop';
  readonly needsTicket: false;
}

export type ActionExecutor = DirectAction | EffectAction | StopAction;

/** The types of action that exist in this installation. */
@Injectable()
export class ActionExecutors {
  private readonly executors = new Map<string, ActionExecutor>([
    ['stop', { type: 'stop', kind: 'stop', needsTicket: false }],
  ]);

  register(executor: ActionExecutor): void {
    if (this.executors.has(executor.type)) throw new Error(`Two executors for actions of type "${executor.type}".`);
    this.executors.set(executor.type, executor);
  }

  get(type: string): ActionExecutor | undefined {
    return this.executors.get(type);
  }

  /** Types that rules may use, in alphabetical order. */
  types(): string[] {
    return [...this.executors.keys()].sort();
  }
}
