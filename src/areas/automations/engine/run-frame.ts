import type { ActionRecord, Rule, RunRecord } from './rule';
import type { RuleContext } from './rule-context';
import { clockNow } from '../../../platform/context/clock';

/** The run of the engine that a rule runs in, as far as its record tells. */
export interface RunFrame {
  /** Null when side effects need not wait for one to end. */
  engineRunId: number | null;
  eventId: number | null;
  rootEventId: string;
  depth: number;
  dry: boolean;
  /** Of the run, from 1: what fails for a moment is done again. */
  attempt: number;
}

/** The beginning of a record: what is known before anything is done. */
export function recordOf(rule: Rule, context: RuleContext, frame: RunFrame): RunRecord {
  return {
    automation_id: rule.id,
    automation_version: rule.version,
    automation_name: rule.name,
    ticket_id: context.object === 'ticket' && context.objectId > 0 ? context.objectId : null,
    event: context.event.type,
    event_id: context.event.uid,
    root_event_id: frame.rootEventId,
    depth: frame.depth,
    attempt: frame.attempt,
    status: 'conditions_not_met',
    reason: null,
    conditions: [],
    actions: [],
    started_at: clockNow().toISOString(),
    duration_ms: 0,
  };
}

/** Whether a run changed anything, or will. */
export function hasActed(records: readonly ActionRecord[]): boolean {
  return records.some(({ status }) => status === 'done' || status === 'queued');
}
