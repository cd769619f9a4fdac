import { In } from 'typeorm';
import { clockMs } from '../../platform/context/clock';
import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { invalid } from '../../platform/errors/api-error';
import { quietUntil } from './notices/notification-preferences';
import { User } from './user.entity';

/** What other areas ask about users; each inside a unit of work. */
export interface KnownUser {
  id: number;
  name: string;
  email: string;
}

const KNOWN = { id: true, name: true, email: true } as const;

const usersOf = (database: Database): WorkspaceRepository<User> => new WorkspaceRepository(database, User);

/** A user of any status; null when there is none. */
export function findUser(database: Database, id: number): Promise<KnownUser | null> {
  return usersOf(database).findOne({ select: KNOWN, where: { id } });
}

/** Those of the users that are active, by id. */
export function activeUsers(database: Database, ids: readonly number[]): Promise<KnownUser[]> {
  return usersOf(database).find({ select: KNOWN, where: { id: In(ids), status: 'active' }, order: { id: 'ASC' } });
}

/** Active users who want to be told what automations tell, and until when each of them is not to be disturbed (ms since 1970; null = now). */
export async function toldByAutomations(
  database: Database,
  ids: readonly number[],
): Promise<(KnownUser & { quiet_until: number | null })[]> {
  const users = await usersOf(database).find({
    select: { ...KNOWN, timezone: true, notifications: true },
    where: { id: In(ids), status: 'active' },
    order: { id: 'ASC' },
  });
  return users
    .filter(({ notifications }) => notifications.automations !== 'none')
    .map(({ id, name, email, timezone, notifications }) => ({
      id,
      name,
      email,
      quiet_until: quietUntil(notifications.quiet_hours, timezone, clockMs()),
    }));
}

/** The active user with an address (lower-case); undefined when there is none. */
export async function activeUserByEmail(database: Database, email: string): Promise<KnownUser | undefined> {
  const text = `SELECT id, name, email FROM users WHERE workspace_id = $1 AND lower(email) = $2 AND status = 'active' LIMIT 1`;
  const [user] = await database.query<KnownUser>(text, [currentWorkspaceId(), email]);
  return user;
}

/** Active users with one of the addresses (lower-case). Inside a unit of work. */
export function activeUsersByEmail(database: Database, emails: readonly string[]): Promise<KnownUser[]> {
  const text = `SELECT id, name, email FROM users WHERE workspace_id = $1 AND lower(email) = ANY($2::text[]) AND status = 'active' ORDER BY id`;
  return database.query<KnownUser>(text, [currentWorkspaceId(), emails]);
}

/**
 * Ids of the active users who are named by id, by address, or by what stands before the `@` of it where only one of them has that. Names
 * in lower case. Inside a unit of work.
 */
export async function namedUsers(
  database: Database,
  { ids, emails, handles }: Readonly<Record<'emails' | 'handles', readonly string[]>> & { ids: readonly number[] },
): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `WITH active AS (SELECT id, lower(email) AS email FROM users WHERE workspace_id = $1 AND status = 'active')
     SELECT id FROM active WHERE id = ANY($2::bigint[]) OR email = ANY($3::text[])
     UNION SELECT min(id) FROM active WHERE split_part(email, '@', 1) = ANY($4::text[]) GROUP BY split_part(email, '@', 1) HAVING count(*) = 1
     ORDER BY id`,
    [currentWorkspaceId(), ids, emails, handles],
  );
  return rows.map(({ id }) => id);
}

/** The status of a user, who keeps it until the commit; null when there is none. */
export async function heldStatus(database: Database, id: number): Promise<string | null> {
  const user = await usersOf(database).findOne({
    select: { status: true },
    where: { id },
    lock: { mode: 'pessimistic_read' },
  });
  return user?.status ?? null;
}

/**
 * Refuses (422) a user who does not exist or is not active; holds the user active until the commit.
 *
 * @param field the member of the request that names the user
 * @param why what only active users do, e.g. `only active users can be owners`
 */
export async function requireActiveUser(database: Database, field: string, id: number, why: string): Promise<void> {
  const status = await heldStatus(database, id);
  if (status === null) invalid(field, 'not_found', `"${field}" names a user that does not exist.`);
  if (status !== 'active') invalid(field, 'inactive', `"${field}" names a user that is ${status}; ${why}.`);
}

/**
 * Those of the users who are not active; the others stay so until the commit. Whoever changes a status locks the whole row, so what a
 * reference to a user locks anyway is enough. Inside a unit of work.
 */
export async function inactiveAmong(
  database: Database,
  ids: readonly number[],
): Promise<Pick<User, 'id' | 'status'>[]> {
  // The status is asked of what was locked: a condition of the statement would be asked before.
  const held = await usersOf(database).find({
    select: { id: true, status: true },
    where: { id: In(ids) },
    order: { id: 'ASC' },
    lock: { mode: 'for_key_share' },
  });
  return held.filter(({ status }) => status !== 'active');
}

/** Whether a user is there, and the absence that was entered for them; null when there is none. */
export function absenceOf(database: Database, id: number): Promise<Pick<User, 'status' | 'out_of_office'> | null> {
  return usersOf(database).findOne({ select: { status: true, out_of_office: true }, where: { id } });
}

/** When a user can be met. */
export type UserHours = Pick<User, 'id' | 'name' | 'status' | 'timezone' | 'schedule' | 'out_of_office'>;

const HOURS = 'u.id, u.name, u.status, u.timezone, u.schedule, u.out_of_office';

/** The hours of the users, in that order; those unknown are left out. Plain SQL: availability is a measured path. */
export function hoursOf(database: Database, ids: readonly number[]): Promise<UserHours[]> {
  return database.query<UserHours>(
    `SELECT ${HOURS} FROM unnest($2::bigint[]) WITH ORDINALITY AS h (id, place)
     JOIN users u ON u.workspace_id = $1 AND u.id = h.id ORDER BY h.place`,
    [currentWorkspaceId(), ids],
  );
}

/** The hours of the first active agents of the workspace. */
export function hoursOfAgents(database: Database, limit: number): Promise<UserHours[]> {
  return database.query<UserHours>(
    `SELECT ${HOURS} FROM users u WHERE u.workspace_id = $1 AND u.status = 'active' AND u.role <> 'light_agent' ORDER BY u.id LIMIT ${limit}`,
    [currentWorkspaceId()],
  );
}

/** SQL of a user's manager, column `id`; `$1` is the workspace. */
export function managerOf(id: string): string {
  return `SELECT manager_id AS id FROM users WHERE workspace_id = $1 AND id = ${id}`;
}

/** SQL of what stands below mail of a user, column `signature`; `$1` is the workspace. */
export function userSignature(id: string): string {
  return `SELECT signature FROM users WHERE workspace_id = $1 AND id = ${id}`;
}

/** Which of the addresses and names (lower-case) users have, of any status. Inside a unit of work. */
export async function knownToUsers(database: Database, texts: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ said: string }>(
    `SELECT DISTINCT v.said FROM users u, LATERAL (VALUES (lower(u.email)), (lower(u.name))) AS v (said)
     WHERE u.workspace_id = $1 AND v.said = ANY($2::text[])`,
    [currentWorkspaceId(), texts],
  );
  return rows.map(({ said }) => said);
}

/** What directories have a say in. */
export type DirectoryKnowledge = Pick<
  User,
  | 'id'
  | 'name'
  | 'email'
  | 'role'
  | 'role_id'
  | 'status'
  | 'title'
  | 'phone'
  | 'team_ids'
  | 'manager_id'
  | 'directory_user_id'
>;

const DIRECTORY_COLUMNS =
  'id, name, email, role, role_id, status, title, phone, team_ids, manager_id, directory_user_id';

/** Every user of the workspace, oldest first. Inside a unit of work. */
export function usersForDirectories(database: Database): Promise<DirectoryKnowledge[]> {
  return database.query<DirectoryKnowledge>(
    `SELECT ${DIRECTORY_COLUMNS} FROM users WHERE workspace_id = $1 ORDER BY id`,
    [currentWorkspaceId()],
  );
}

/** Those with one of the ids or addresses (lower-case), and every owner, oldest first. Inside a unit of work. */
export function usersForDirectoriesOf(
  database: Database,
  { ids, emails }: { ids: readonly number[]; emails: readonly string[] },
): Promise<DirectoryKnowledge[]> {
  const some = (condition: string): string =>
    `SELECT ${DIRECTORY_COLUMNS} FROM users WHERE workspace_id = $1 AND ${condition}`;
  return database.query<DirectoryKnowledge>(
    `SELECT DISTINCT ON (id) * FROM (${some('id = ANY($2::bigint[])')} UNION ALL ${some('email = ANY($3::text[])')}
       UNION ALL ${some("role = 'owner'")}) AS found ORDER BY id`,
    [currentWorkspaceId(), ids, emails],
  );
}

/** Somebody of a directory in whose place somebody here may do something: users who were changed since then, and owners. Inside a unit of work. */
export async function changedInDirectories(database: Database, since: string): Promise<number[]> {
  const some = (condition: string): string =>
    `SELECT directory_user_id AS id FROM users WHERE workspace_id = $1 AND directory_user_id IS NOT NULL AND ${condition}`;
  const rows = await database.query<{ id: number }>(`${some('updated_at >= $2')} UNION ${some("role = 'owner'")}`, [
    currentWorkspaceId(),
    since,
  ]);
  return rows.map(({ id }) => id);
}

/** How many of the people of a directory, given as SQL of their users' ids, have access; `$1` is the workspace. Inside a unit of work. */
export async function countWithAccess(database: Database, idsOf: string, values: readonly unknown[]): Promise<number> {
  const [row] = await database.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM users WHERE workspace_id = $1 AND status NOT IN ('deactivated', 'suspended') AND id IN (${idsOf})`,
    [currentWorkspaceId(), ...values],
  );
  return row?.n ?? 0;
}
