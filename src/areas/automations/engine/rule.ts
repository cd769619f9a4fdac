import type { Action } from '../../../platform/area/rules';
import type { Search } from '../../tickets/assigning/ticket-sharing';
import type { Conditions, TraceEntry } from '../../../platform/conditions/condition';

/** Whom an `assign` action with a strategy is to give the ticket, found before the rule's unit of work begins. */
export interface Turn {
  team_id: number | null;
  /** What was found: nobody, where nobody of the team can be given anything. */
  search: Search;
}

/** What starts a rule. */
export interface Trigger {
  event: string;
  /** Field to value (or values) of the record that the rule is about at all; checked like conditions. */
  filters?: Readonly<Record<string, unknown>>;
  /** Of a schedule: five fields, IANA time zone, and ticket list filters. */
  cron?: string;
  timezone?: string;
  query?: Readonly<Record<string, string>>;
}

/** An automation as the engine works with it. `id` is null for one that is not stored (a dry run). */
export interface Rule {
  id: number | null;
  version: number;
  name: string;
  trigger: Trigger;
  conditions: Conditions;
  actions: readonly Action[];
  stop_processing: boolean;
  run_once_per_ticket: boolean;
  delay_minutes: number;
  only_in_business_hours: boolean;
}

export type RunStatus = 'executed' | 'conditions_not_met' | 'skipped' | 'failed' | 'partial';

/**
 * How an action ended: `done` changed something, `unchanged` had nothing to change, `queued` is a side effect that
 * follows the run (then `done` or `failed`), `stopped` ended the run, `skipped` came after a failure, or to a ticket that was merged.
 */
export interface ActionRecord {
  type: string;
  status: 'done' | 'unchanged' | 'queued' | 'stopped' | 'failed' | 'skipped';
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  error: string | null;
  duration_ms: number;
}

/** What a rule made of an event: one row of the log (product reference 4.5). */
export interface RunRecord {
  automation_id: number | null;
  automation_version: number;
  automation_name: string;
  ticket_id: number | null;
  event: string;
  event_id: string | null;
  root_event_id: string;
  depth: number;
  /** Of the run, from 1: what fails for a moment (a lock, a timeout) is done again. */
  attempt: number;
  status: RunStatus;
  /** Why it was skipped: `depth`, `already_ran`, `once_per_ticket`, `delayed`, `outside_business_hours`, `trigger_changed`, `suspended`, `merged`, … */
  reason: string | null;
  conditions: readonly TraceEntry[];
  actions: readonly ActionRecord[];
  /** ISO 8601. */
  started_at: string;
  duration_ms: number;
}

/** Actions that no automation stands for, as a rule without conditions. */
export function pseudoRule(name: string, event: string, actions: readonly Action[]): Rule {
  return {
    id: null,
    version: 0,
    name,
    trigger: { event },
    conditions: {},
    actions,
    stop_processing: false,
    run_once_per_ticket: false,
    delay_minutes: 0,
    only_in_business_hours: false,
  };
}
