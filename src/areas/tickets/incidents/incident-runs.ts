import type { Actor } from '../../../platform/context/current';

/** Kind of the job that resolves the incidents of a problem; its subject is the run, its group the problem. */
export const INCIDENTS_JOB = 'incident_resolution';

/** SQL condition on a ticket `t`. */
export const OPEN_INCIDENT = `t.type = 'incident' AND t.status IN ('open', 'in_progress', 'on_hold') AND t.merged_into_id IS NULL`;

/** In whose name incidents are resolved. */
export interface AskedBy {
  actor: Actor;
  /** Null where a token of nobody asked. */
  author: { id: number; name: string; email: string } | null;
  /** The incidents that they saw, of those who do not see all; the others stay. Null: all of them. */
  seen: readonly number[] | null;
}

/** How far it is. */
export interface IncidentRun {
  id: number;
  /** The problem. */
  ticket_id: number;
  asked_by: AskedBy;
  comment: string | null;
  last_ticket_id: number;
}
