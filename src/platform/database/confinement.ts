import { type Statement, apart } from '../postgres/statement-batch';
import { setClock } from './workspace-clock';

/** Rounded as the columns round it, which `to_char` alone would not. */
export const MOMENT = `to_char(now()::timestamptz(3) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Sets the workspace of a unit of work; its second column is the moment it began. */
function confineAndTell(workspaceId: number): Statement {
  return { text: `SELECT set_config('app.workspace_id', $1, true), ${MOMENT}`, values: [workspaceId] };
}

/** Sets the workspace of one statement, and how it is planned. */
function confine(workspaceId: number, mode: 'custom' | 'generic' | null): Statement {
  const planned = mode === null ? '' : `, set_config('plan_cache_mode', 'force_${mode}_plan', true)`;
  return { text: `SELECT set_config('app.workspace_id', $1, true)${planned}`, values: [workspaceId] };
}

/** What a unit of work in a workspace begins with; its last statement tells the moment. */
export function beginningIn(workspaceId: number, aheadMs: number): Statement[] {
  const confinement = confineAndTell(workspaceId);
  return aheadMs === 0 ? [confinement] : [setClock(aheadMs), confinement];
}

/** A statement that is sent alone, behind what confines it. */
export function confined(workspaceId: number, aheadMs: number, statement: Statement): Statement[] {
  const mode = statement.unnamed ? 'custom' : statement.settled ? 'generic' : null;
  const usual = [confine(workspaceId, mode), statement];
  return aheadMs === 0 ? usual : [setClock(aheadMs), ...usual].map(apart);
}
