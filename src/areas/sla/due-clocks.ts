/** No limit, which the planner does not know: it then reads along the index of what is due, and not all clocks of the workspace besides. */
const ALL = '(SELECT 9223372036854775807)';

/**
 * SQL of the clocks of the workspace `$1` that a worker should have looked at: mostly none. The planner takes them for as many as were
 * due when it last counted; whatever follows them must lead from them to their tickets (`CROSS JOIN LATERAL`), not be joined.
 *
 * @param condition of a clock `k`, all that is due without
 */
export const dueClocks = (condition = 'true'): string => `(SELECT k.* FROM
  (SELECT k.* FROM sla_clocks k WHERE k.workspace_id = $1 AND k.next_check_at <= now() ORDER BY k.next_check_at LIMIT ${ALL}) k
  WHERE ${condition})`;

/** The condition of a promise that was broken within a window and that no worker has noticed yet. */
export const unnoticedWithin = (from: string, to: string): string =>
  `k.outcome = 'active' AND k.due_at <= now() AND k.due_at >= ${from} AND k.due_at < ${to}`;
