import type { Statement } from '../postgres/statement-batch';

/** Rounded as the columns round it, which `to_char` alone would not. */
export const MOMENT = `to_char(now()::timestamptz(3) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Sets the workspace of a unit of work; its second column is the moment it began. */
export function confineAndTell(workspaceId: number): Statement {
  return { text: `SELECT set_config('app.workspace_id', $1, true), ${MOMENT}`, values: [workspaceId] };
}

/** Sets the workspace of one statement. */
export function confine(workspaceId: number, customPlan: boolean): Statement {
  return customPlan
    ? {
        text: `SELECT set_config('app.workspace_id', $1, true), set_config('plan_cache_mode', 'force_custom_plan', true)`,
        values: [workspaceId],
      }
    : { text: `SELECT set_config('app.workspace_id', $1, true)`, values: [workspaceId] };
}
