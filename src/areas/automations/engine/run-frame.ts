import type { ActionRecord, Rule, RunRecord } from './rule';
import type { Scene } from './scene';

/** The pass that a rule runs in, as far as its record tells. */
export interface RunFrame {
  /** Null when side effects need not wait for a pass to end. */
  passId: number | null;
  eventId: number | null;
  rootEventId: string;
  depth: number;
  dry: boolean;
  /** Of the pass, from 1: what fails for a moment is done again. */
  attempt: number;
}

/** The beginning of a record: what is known before anything is done. */
export function recordOf(rule: Rule, scene: Scene, frame: RunFrame): RunRecord {
  return {
    automation_id: rule.id,
    automation_version: rule.version,
    automation_name: rule.name,
    ticket_id: scene.object === 'ticket' && scene.objectId > 0 ? scene.objectId : null,
    event: scene.event.type,
    event_id: scene.event.uid,
    root_event_id: frame.rootEventId,
    depth: frame.depth,
    attempt: frame.attempt,
    status: 'conditions_not_met',
    reason: null,
    conditions: [],
    actions: [],
    started_at: new Date().toISOString(),
    duration_ms: 0,
  };
}

/** Whether a run changed anything, or will. */
export function hasActed(records: readonly ActionRecord[]): boolean {
  return records.some(({ status }) => status === 'done' || status === 'queued');
}
