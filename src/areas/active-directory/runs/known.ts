import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { contactsForDirectories } from '../../contacts/contact-lookup';
import { allTeamIds } from '../../teams/team-lookup';
import { usersForDirectories } from '../../users/user-lookup';
import type { DirectoryConnection } from '../connections/connection.entity';
import { safetyOf } from '../connections/role-mapping';
import type { KnownGroup, KnownPerson, Local, LocalContact, Rules, Snapshot } from '../engine/objects';

type Settings = Pick<
  DirectoryConnection,
  'users_without_mapping' | 'deprovision' | 'preserve_manual_roles' | 'safety' | 'role_mappings'
>;

/** What the settings of a connection make a run do; teams that are gone by now are left out. Inside a unit of work. */
export async function rulesOf(database: Database, settings: Settings): Promise<Rules> {
  const { users_without_mapping, deprovision, preserve_manual_roles, safety, role_mappings: mappings } = settings;
  const teams = new Set(await allTeamIds(database));
  return {
    ...{ users_without_mapping, deprovision, preserve_manual_roles },
    safety: safetyOf(safety),
    mappings: mappings.map(({ group, role, role_id = null, team_ids = [], include_nested = true, priority = 0 }) => ({
      ...{ group, role, role_id, include_nested, priority },
      team_ids: team_ids.filter((id) => teams.has(id)),
    })),
  };
}

/** What of a connection says where its objects are. */
export type Known = Pick<DirectoryConnection, 'id' | 'type'>;

/** Everything that a run of the connection compares with. Inside a unit of work. */
export async function localOf(database: Database, connection: Known): Promise<Local> {
  const key = [currentWorkspaceId(), connection.id];
  const people = await database.query<KnownPerson>(PEOPLE, key);
  const groups = await database.query<Omit<KnownGroup, 'members'>>(GROUPS, key);
  const rows = await database.query<{ group_id: number; members: string[] }>(MEMBERS, key);
  const members = new Map(rows.map((row) => [row.group_id, row.members]));
  const teams = new Set(await allTeamIds(database));
  return {
    people,
    groups: groups.map((group) => ({
      ...{ ...group, members: members.get(group.id) ?? [] },
      mapped_team_ids: group.mapped_team_ids.filter((id) => teams.has(id)),
    })),
    users: await usersForDirectories(database),
    just_left: await justLeft(database, connection),
  };
}

/** Who of the people is a contact, and who has an address of theirs where they may become one. Inside a unit of work. */
export async function contactsFor(
  database: Database,
  people: readonly KnownPerson[],
  snapshot: Snapshot,
  rules: Rules,
): Promise<LocalContact[]> {
  const ids = people.flatMap(({ contact_id }) => contact_id ?? []);
  const all = rules.users_without_mapping === 'contact' ? [...snapshot.people, ...people] : [];
  if (ids.length === 0 && all.length === 0) return [];
  const emails = all.flatMap(({ email }) => email?.toLowerCase() ?? []);
  const contacts = await contactsForDirectories(database, { ids, emails });
  const rows = await database.query<{ id: number }>(HELD, [currentWorkspaceId(), contacts.map(({ id }) => id)]);
  const held = new Set(rows.map(({ id }) => id));
  return contacts.map((contact) => ({ ...contact, is_held: held.has(contact.id) }));
}

const HELD = `SELECT DISTINCT contact_id AS id FROM directory_users
  WHERE workspace_id = $1 AND contact_id = ANY($2::bigint[]) AND sync_status <> 'deleted_in_source'`;

/** Who lost access within the last hour without anybody's approval, where a client tells people one by one. Inside a unit of work. */
export async function justLeft(database: Database, { id, type }: Known): Promise<number> {
  const [left] = type === 'scim' ? await database.query<{ n: number }>(JUST_LEFT, [currentWorkspaceId(), id]) : [];
  return left?.n ?? 0;
}

/** Columns of `KnownPerson`. */
export const PERSON_COLUMNS = `id, object_guid AS guid, distinguished_name, username, user_principal_name, email, display_name, given_name, surname,
  title, department, office, phone, mobile, manager_guid AS manager, enabled, locked, when_created, when_changed,
  user_id, link_status, sync_status, mapped_role, missing_runs, applied, contact_id, contact_applied`;

/** Columns of `KnownGroup` but for its members. */
export const GROUP_COLUMNS =
  'id, object_guid AS guid, distinguished_name, name, description, scope, type, sync_status, missing_runs, mapped_role, mapped_team_ids';

const PEOPLE = `SELECT ${PERSON_COLUMNS} FROM directory_users WHERE workspace_id = $1 AND connection_id = $2 ORDER BY id`;
const GROUPS = `SELECT ${GROUP_COLUMNS} FROM directory_groups WHERE workspace_id = $1 AND connection_id = $2 ORDER BY id`;

/** A client that tells one person at a time has a run for each; what somebody approved counts no more. */
/** Of somebody whose user and contact went, each is told; they are one. */
const JUST_LEFT = `SELECT count(DISTINCT c.object_guid)::integer AS n FROM directory_changes c
  JOIN directory_runs r ON r.workspace_id = c.workspace_id AND r.id = c.run_id
  WHERE c.workspace_id = $1 AND r.connection_id = $2 AND r.finished_at > now() - interval '1 hour' AND r.approval IS NULL
    AND c.action = 'disable' AND c.result = 'success'
    AND r.id > coalesce((SELECT max(a.id) FROM directory_runs a WHERE a.workspace_id = $1 AND a.connection_id = $2
      AND a.approval IS NOT NULL AND a.started_at IS NOT NULL AND a.status LIKE 'completed%'), 0)`;

const MEMBERS = `SELECT group_id, array_agg(member_guid ORDER BY member_guid) AS members
  FROM directory_members WHERE workspace_id = $1 AND connection_id = $2 GROUP BY group_id`;
