import { current } from '../../platform/context/current';
import { demandWholeSight, refuse } from '../../platform/context/demand';
import type { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import { WorkspaceRepository } from '../../platform/database/workspace-repository';
import type { Row, Values } from '../../platform/resource/rows';
import { requireAtLeast, requireReach, requireTeams } from './roles/rights';
import { Role } from './roles/role.entity';
import type { User } from './user.entity';

/** What users may change of themselves without the permission to change users. */
const OWN = new Set<string>([
  'name',
  'title',
  'phone',
  'avatar_url',
  'signature',
  'timezone',
  'locale',
  'availability',
  'out_of_office',
  'schedule',
  'notifications',
]);

/** What says who somebody is, what they may, and what they see. */
const RIGHTS = ['email', 'role', 'role_id', 'status', 'ticket_scope', 'team_ids'] as const;

type Ranked = Pick<User, 'role' | 'role_id' | 'ticket_scope'>;
type Member = Ranked & Pick<User, 'team_ids'>;

/** Refuses (403) a change of somebody else, or of more than oneself may, unless the caller may change users. */
export function requireOwnOrUpdate(id: number, body: object): void {
  const { principal } = current();
  if (!principal || principal.permissions.allows('users.update')) return;
  const about = { field: 'role', code: 'permission', permission: 'users.update' } as const;
  if (principal.userId !== id) refuse('Without the permission "users.update" you change nobody but yourself.', about);
  const other = Object.entries(body).find(([name, value]) => value !== undefined && !OWN.has(name));
  if (other)
    refuse(`"${other[0]}" is changed by those who have the permission "users.update".`, { ...about, field: other[0] });
}

/** Refuses (403) to give or take rights that the caller does not have. Inside a unit of work. */
export async function requireRightsOver(
  database: Database,
  before: Row<User> | null,
  values: Values<User>,
): Promise<void> {
  const changed = RIGHTS.filter((name) => values[name] !== undefined);
  if (before && changed.every((name) => JSON.stringify(values[name]) === JSON.stringify(before[name]))) return;
  const after: Member = { role: 'agent', role_id: null, ticket_scope: 'all', team_ids: [], ...before, ...values };
  const standing = await standingOf(database, after);
  if (after.role_id !== null && (after.role === 'owner' || after.role === 'admin'))
    invalid('role_id', 'conflict', 'Owners and admins may everything; they have no custom role.');
  const principal = current().principal;
  if (!principal?.rights) return;
  const was = before && (await standingOf(database, before));
  if (was) requireAtLeast(was);
  requireAtLeast(standing);
  if (!before || values.ticket_scope !== undefined || values.role_id !== undefined) requireReach(standing.ticket_scope);
  if (standing.ticket_scope === 'teams' && was?.ticket_scope !== 'all') {
    const seen = was?.ticket_scope === 'teams' ? (before?.team_ids ?? []) : [];
    requireTeams(after.team_ids.filter((id) => !seen.includes(id)));
  }
  if (
    principal.sight &&
    principal.sight.reach !== 'all' &&
    values.team_ids !== undefined &&
    principal.userId === before?.id
  )
    refuse('You see the tickets of your teams only, and cannot put yourself into others.', {
      field: 'team_ids',
      code: 'permission',
    });
}

/** Refuses (403) a caller who sees only some tickets to say who has those of somebody else: themselves, or a person whose tickets they see. */
export function requireChoosable(userId: number | null): void {
  if (userId !== null && current().principal?.userId === userId) return;
  demandWholeSight('Only who sees all tickets says who is to have those of somebody else; reassign_to=team, none do.');
}

/** Refuses (403) to have others given what the caller does not have, and (422) a custom role that is not there. Inside a unit of work. */
export async function requireGivable(database: Database, given: Ranked, field: string): Promise<void> {
  const standing = await standingOf(database, given, field);
  if (!current().principal?.rights) return;
  requireAtLeast(standing);
  requireReach(standing.ticket_scope);
}

/** Like `auth_user`, which the next request is told by. 422 for a role that is not there. */
async function standingOf(
  database: Database,
  user: Ranked,
  field = 'role_id',
): Promise<Parameters<typeof requireAtLeast>[0]> {
  const { role, role_id, ticket_scope } = user;
  if (role_id === null) return { role, permissions: null, ticket_scope };
  const custom = await new WorkspaceRepository(database, Role).findOne({
    select: { permissions: true, ticket_scope: true },
    where: { id: role_id },
    lock: { mode: 'pessimistic_read' },
  });
  if (!custom) invalid(field, 'not_found', `"${field}" names ${role_id}, which does not exist.`);
  const scopes = [ticket_scope, custom.ticket_scope];
  const narrower = scopes.includes('assigned') ? 'assigned' : scopes.includes('teams') ? 'teams' : 'all';
  return { role, permissions: custom.permissions, ticket_scope: narrower };
}
