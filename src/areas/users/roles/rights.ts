import { current } from '../../../platform/context/current';
import { type ActingUser, REACHES } from '../../../platform/context/access';
import { refuse } from '../../../platform/context/demand';
import { declaredPermissions, type Rights, rightsOfPermissions } from '../../../platform/context/permission-table';
import { rightsOf } from '../../../platform/context/principal';

/** What a user may do and sees, or would. */
export type Standing = Pick<ActingUser, 'role' | 'permissions' | 'ticket_scope'>;

/**
 * Nobody raises anybody above themselves: refuses (403) a caller whose role lacks a permission of the standing that a user has, or
 * is to have. Tokens of no user are bound by their scopes alone.
 */
export function requireAtLeast(standing: Standing): void {
  requireRights(rightsOf(standing), standing.role);
}

/** The same of the permissions of a custom role. */
export function requireEach(permissions: readonly string[]): void {
  requireRights(rightsOfPermissions(permissions), 'custom');
}

/** Refuses (403) a caller who would let somebody see more than they do themselves. */
export function requireReach(reach: Standing['ticket_scope']): void {
  const own = current().principal?.sight?.reach ?? 'all';
  if (REACHES.indexOf(reach) >= REACHES.indexOf(own)) return;
  refuse(`You see the tickets of "${own}" only, and cannot let anybody see "${reach}".`, {
    field: 'ticket_scope',
    code: 'permission',
  });
}

/** Refuses (403) a caller who would let somebody see the tickets of teams whose tickets they do not see themselves. @param field that names them */
export function requireTeams(teamIds: readonly number[], field = 'team_ids'): void {
  const { reach = 'all', teamIds: own = [] } = current().principal?.sight ?? {};
  if (reach === 'all' || teamIds.every((id) => reach === 'teams' && own.includes(id))) return;
  refuse('You do not see the tickets of these teams, and cannot let anybody see them.', {
    field,
    code: 'permission',
  });
}

function requireRights(wanted: Rights, role: string): void {
  const own = current().principal?.rights;
  if (!own) return;
  const lacking = declaredPermissions().find(({ name }) => wanted.has(name) && !own.has(name));
  if (!lacking) return;
  const message = `Nobody gives or takes rights that they do not have: yours lack "${lacking.name}".`;
  refuse(message, { field: 'role', code: 'permission', permission: lacking.name, role });
}
