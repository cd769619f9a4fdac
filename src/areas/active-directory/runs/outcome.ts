import type { Reason, Result } from '../engine/plan';

/** What came of a change. */
export interface Outcome {
  result: Result;
  error: Reason | null;
  user_id: number | null;
}
