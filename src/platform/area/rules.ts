import type { FieldSpec } from '../conditions/condition';
import type { Actor } from '../context/current';
import type { Permission } from '../context/permission-table';
import type { Changes } from '../events/event-rows';

/** A type of action that rules may have, and what it takes. */
export interface RuleAction {
  /** Snake case, unique, e.g. `assign_vehicle`. */
  type: string;
  label: string;
  /** `field`: in the transaction of the rule; `side_effect`: after it; `flow`: ends the rules, which takes no performer. */
  kind: 'field' | 'side_effect' | 'flow';
  /** What it takes: a class with the members of `arguments.ts`; nothing unless given. */
  parameters?: new () => object;
  /** Exactly one of these must be given. */
  oneOf?: readonly string[];
  /** What somebody who applies it by a macro or to many tickets must be allowed to besides changing tickets; rules need no leave. */
  permission?: Permission;
  /** Whom it tells of the record by choice of whoever wrote it, who need not see what those see who apply it. */
  addresses?: (action: Action) => readonly string[];
}

/** Performs actions of rules. */
export interface ActionPerformer {
  /** One for each type of action that it performs. */
  readonly executors: readonly ActionExecutor[];
}

/** A field that conditions may name besides the columns of a record: worked out from the record when it is asked for. */
export interface RuleCondition {
  /** Singular name of the record, e.g. `vehicle`. */
  object: string;
  /** Name of the field, e.g. `is_overdue`. */
  field: string;
  spec: FieldSpec;
  /** @param record as GET shows it */
  value(record: Readonly<Record<string, unknown>>, now: Date): unknown;
}

/** What a failure of an action does to those that follow. */
export const ON_ERROR = ['continue', 'stop'] as const;

/** One action as stored: its type, its parameters, and whether its failure ends the rule. */
export interface Action {
  type: string;
  on_error?: (typeof ON_ERROR)[number];
  [parameter: string]: unknown;
}

/** The same with the parameters of its class, as they were checked. */
export type ActionWith<Parameters extends object> = Action & Parameters;

/** A record as GET shows it, or a part of it for the log. */
export type Shown = Readonly<Record<string, unknown>>;

/** Where rules act: the event as it was, the record as it is. */
export interface ActionContext {
  /** Singular name of the record that the event is about. */
  readonly object: string;
  readonly objectId: number;
  /** `uid` is null when a schedule or a policy started the rule. */
  readonly event: { type: string; uid: string | null; actor: Actor; changes: Changes | null };
  /** The record now. */
  readonly record: Shown;
  readonly now: Date;
  /** The value of a field or variable, as conditions and templates name it. */
  value(field: string): unknown;
  /** `+2bd` and the like as ISO 8601; null when it is something else. */
  relativeDate(text: string): string | null;
}

interface Executor {
  readonly type: string;
  /** Singular names of the records it can act for; any unless given. */
  readonly objects?: readonly string[];
}

/** Acts at once, in the transaction of the rule, behind a savepoint: an error is recorded and undoes only this action. */
export interface DirectAction extends Executor {
  readonly kind: 'direct';
  execute(action: Action, context: ActionContext): Promise<void>;
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

/** Acts afterwards, once everything that rules change is changed. */
export interface EffectAction extends Executor {
  readonly kind: 'effect';
  /** What will happen, inside a unit of work. @throws ApiError when it cannot happen, e.g. there is no recipient */
  prepare(action: Action, context: ActionContext): Promise<Prepared>;
  /** What the log shows of it; secrets left out. */
  shown(prepared: Prepared): Shown;
  /** Reaches outside PostgreSQL; outside any transaction, possibly twice. */
  send?(prepared: Prepared, context: EffectContext): Promise<Sent>;
  /** Writes to PostgreSQL, in the transaction that ends the effect: exactly once. Answers what the log should add. */
  commit?(prepared: Prepared, context: EffectContext): Promise<Shown>;
}

/** Ends the rules. */
export interface StopAction extends Executor {
  readonly kind: 'stop';
}

export type ActionExecutor = DirectAction | EffectAction | StopAction;
