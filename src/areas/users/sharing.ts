import { current } from '../../platform/context/current';
import { invalid } from '../../platform/errors/api-error';
import type { Bind } from '../../platform/query/filters';
import type { Row, Values } from '../../platform/resource/rows';
import type { SharedRecord } from './shared-record';

/** Roles that see what any team shares. */
const OVERSEERS = ['owner', 'admin'];

/**
 * SQL of the shared records that the caller may see, over `alias`: those of everyone, their own and those of their teams. A token
 * of nobody sees all but what is private, and so do jobs.
 */
export function sharedWithCaller(alias: string, bind: Bind): string {
  const user = current().principal?.user;
  if (!user) return `${alias}.sharing <> 'private'`;
  const id = `${bind(user.id)}::bigint`;
  if (OVERSEERS.includes(user.role)) return `(${alias}.sharing <> 'private' OR ${alias}.owner_id = ${id})`;
  const teams = `(SELECT u.team_ids FROM users u WHERE u.workspace_id = ${alias}.workspace_id AND u.id = ${id})`;
  return `(${alias}.sharing = 'everyone' OR ${alias}.owner_id = ${id} OR (${alias}.sharing = 'teams' AND ${alias}.team_ids && ${teams}))`;
}

/**
 * Completes what a body says of sharing: who makes a record owns it. 422 for what nobody would see, and for taking a record that
 * others share away from them.
 *
 * @param before the record; null for a new one
 */
export function settleSharing(values: Values<SharedRecord>, before: Row<SharedRecord> | null): void {
  const caller = current().principal?.userId ?? null;
  if (!before) values.owner_id = caller;
  const { sharing, team_ids: teams, owner_id: owner = null } = { ...before, ...values };
  if (sharing === 'teams' && (teams ?? []).length === 0)
    invalid('team_ids', 'required', '"team_ids" must name at least one team when "sharing" is "teams".');
  if (sharing !== 'private' || before?.sharing === 'private') return;
  if (caller === null)
    invalid(
      'sharing',
      'no_user',
      '"sharing" can be "private" only with a token that belongs to a user: nobody would own it.',
    );
  if (owner !== null && owner !== caller)
    invalid('sharing', 'not_owner', '"sharing" can be made "private" by the owner of the record alone.');
  values.owner_id = caller;
}
