// Own reads: sets of objects are found by guids, names and memberships, each by an index, and recursively.
import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { allTeamIds } from '../../teams/team-lookup';
import { changedInDirectories, countWithAccess, usersForDirectoriesOf } from '../../users/user-lookup';
import { type Membership, membershipOf, type ObjectIndex } from '../engine/membership';
import type { KnownGroup, KnownPerson, Local, Referenced, Rules, Snapshot } from '../engine/objects';
import { absencesOf } from '../engine/plan-groups';
import { nameKeyOf, referenceKey } from '../engine/reference-key';
import { GROUP_COLUMNS, justLeft, type Known, PERSON_COLUMNS } from './known';
import { referencedBy } from './references';

/** Guids beyond which comparing everything is no more work. */
const MANY = 20_000;

/**
 * Of what is known, what a run that read changes can touch; null where that is so much that everything may as well be looked at. A plan
 * made of it is the plan that would be made of everything, as long as everything was compared by the same rules since `since`:
 *
 * - whom the changes are about, and what they name;
 * - everybody within what joined or left a group, or within a group that has come, gone or another name;
 * - who is not settled: conflicts, who was linked by hand, who was changed here, owners;
 * - who holds an address that one of them is to have; who reports to them, and to whom they report, to the top;
 * - of groups all that any of these is within.
 *
 * Inside a unit of work.
 */
export async function touchedBy(
  database: Database,
  connection: Known,
  snapshot: Snapshot,
  { mappings }: Rules,
  since: string,
): Promise<Local | null> {
  const look = new Look(database, connection.id);
  const { people, groups, removed } = snapshot;
  const named = [
    ...groups.flatMap(({ members }) => members),
    ...people.flatMap(({ manager }) => manager ?? []),
    ...mappings.map(({ group }) => group),
  ];
  const ownNames = groups.flatMap((group) => nameKeyOf(group) ?? []);
  const referenced = await referencedBy(database, connection, named, ownNames);
  const was = await look.groups(groups.map(({ guid }) => guid));
  const before = await look.membersOf(was);
  const { membership, heads } = joinedAndLeft(snapshot, before, referenced);
  // Where mappings mean other groups by now, everybody may be somebody else.
  const meant = membershipOf({ people: [], groups: [] }, { people: [], groups: [], referenced }, new Set()).index;
  if (mappings.some(({ group }) => meant.find(group) !== membership.index.find(group))) return null;
  const read = new Set(people.map(({ guid }) => guid));
  const first = new Set([...read, ...removed, ...(await look.below([...heads, ...removed]))]);
  for (const guid of await look.unsettled(await changedInDirectories(database, since))) first.add(guid);
  if (first.size > MANY) return null;
  const looked = await look.around([...first], snapshot, membership.index);
  // Groups that named what has come by a name that nobody had.
  const keys = [...people, ...groups].flatMap((each) => [referenceKey(each.guid), nameKeyOf(each) ?? []].flat());
  const waiting = await look.waitingFor(keys);
  const seeds = [...looked.guids, ...groups.map(({ guid }) => guid), ...removed, ...waiting.map(({ guid }) => guid)];
  const above = await look.above(seeds);
  const all = await look.groups(above);
  const within = new Map((await look.members(all, above)).map((row) => [row.group_id, row.members]));
  for (const { id, reference } of waiting) within.set(id, [...(within.get(id) ?? []), reference]);
  const full = new Map(before.map((group) => [group.guid, group]));
  const teams = new Set(await allTeamIds(database));
  return {
    people: looked.people,
    users: looked.users,
    referenced,
    groups: all.map((group) => ({
      ...{ ...group, members: full.get(group.guid)?.members ?? within.get(group.id) ?? [] },
      mapped_team_ids: group.mapped_team_ids.filter((id) => teams.has(id)),
    })),
    just_left: await justLeft(database, connection),
  };
}

/** What the groups that were read have more or less than before, and those that themselves are not what they were. Pure. */
function joinedAndLeft(
  snapshot: Snapshot,
  known: readonly KnownGroup[],
  referenced: readonly Referenced[],
): { membership: Membership; heads: Set<string> } {
  const found = new Set(snapshot.groups.map(({ guid }) => guid));
  const { gone } = absencesOf(snapshot, known, found);
  const membership = membershipOf(snapshot, { people: [], groups: known, referenced }, gone);
  const before = new Map(known.map((group) => [group.guid, group]));
  const heads = new Set<string>();
  for (const group of snapshot.groups) {
    const was = before.get(group.guid);
    const had = new Set(was?.members);
    const has = membership.groups.get(group.guid)?.members ?? new Set();
    const isSame = was?.sync_status === 'synced' && was.name === group.name;
    if (!isSame || was.distinguished_name !== group.distinguished_name) heads.add(group.guid);
    for (const guid of had) if (!has.has(guid)) heads.add(guid);
    for (const guid of has) if (!had.has(guid)) heads.add(guid);
  }
  return { membership, heads };
}

/** Of these, who and what is known, groups with all of their members. Inside a unit of work. */
export async function knownOf(
  database: Database,
  { id }: Known,
  guids: readonly string[],
): Promise<Pick<Local, 'people' | 'groups'>> {
  const look = new Look(database, id);
  return { people: await look.people(guids), groups: await look.membersOf(await look.groups(guids)) };
}

/** How many people of a connection have access, or ask as contacts. Inside a unit of work. */
export async function populationOf(database: Database, { id }: Known): Promise<number> {
  const users = 'SELECT user_id FROM directory_users WHERE workspace_id = $1 AND connection_id = $2';
  const [asking] = await database.query<{ n: number }>(ASKING, [currentWorkspaceId(), id]);
  return (await countWithAccess(database, users, [id])) + (asking?.n ?? 0);
}

const ASKING = `SELECT count(*)::integer AS n FROM directory_users WHERE workspace_id = $1 AND connection_id = $2
  AND user_id IS NULL AND contact_id IS NOT NULL AND (contact_applied->>'status') IS DISTINCT FROM 'blocked'`;

type GroupRow = Omit<KnownGroup, 'members'>;

/** What of one connection stands in the database. */
class Look {
  constructor(
    private readonly database: Database,
    private readonly connectionId: number,
  ) {}

  groups(guids: readonly string[]): Promise<GroupRow[]> {
    return this.query(
      `SELECT ${GROUP_COLUMNS} FROM directory_groups WHERE ${OWN} AND object_guid = ANY($3::text[]) ORDER BY id`,
      [guids],
    );
  }

  async membersOf(groups: readonly GroupRow[]): Promise<KnownGroup[]> {
    const rows = await this.query<{ group_id: number; members: string[] }>(
      `SELECT group_id, array_agg(member_guid ORDER BY member_guid) AS members FROM directory_members
       WHERE ${OWN} AND group_id = ANY($3::bigint[]) GROUP BY group_id`,
      [groups.map(({ id }) => id)],
    );
    const members = new Map(rows.map((row) => [row.group_id, row.members]));
    return groups.map((group) => ({ ...group, members: members.get(group.id) ?? [] }));
  }

  /** Of the groups, the members that are among these. */
  members(groups: readonly GroupRow[], guids: readonly string[]): Promise<{ group_id: number; members: string[] }[]> {
    return this.query(
      `SELECT group_id, array_agg(member_guid ORDER BY member_guid) AS members FROM directory_members
       WHERE ${OWN} AND member_guid = ANY($4::text[]) AND group_id = ANY($3::bigint[]) GROUP BY group_id`,
      [groups.map(({ id }) => id), guids],
    );
  }

  /** These, and everything within them. */
  below(guids: readonly string[]): Promise<string[]> {
    return this.guids(BELOW, [guids]);
  }

  /** These, and every group that one of them is within. */
  above(guids: readonly string[]): Promise<string[]> {
    return this.guids(ABOVE, [guids]);
  }

  /** Whom something is to be settled with, among them these people. */
  unsettled(ids: readonly number[]): Promise<string[]> {
    return this.guids(UNSETTLED, [ids]);
  }

  /** Groups with members that they name by one of the keys. */
  waitingFor(keys: readonly string[]): Promise<{ id: number; guid: string; reference: string }[]> {
    return this.query(WAITING, [keys]);
  }

  /** People with those whom a decision about them needs: holders of addresses, staff of who is new, everybody above. */
  async around(
    first: readonly string[],
    { people: read }: Snapshot,
    index: ObjectIndex,
  ): Promise<{ guids: string[]; people: KnownPerson[]; users: Local['users'] }> {
    const known = await this.people(first);
    const addresses = [...read, ...known].flatMap(({ email }) => email?.toLowerCase() ?? []);
    const byAddress = await usersForDirectoriesOf(this.database, { ids: [], emails: addresses });
    const holders = byAddress.flatMap(({ directory_user_id }) => directory_user_id ?? []);
    const has = new Set(known.filter(({ user_id }) => user_id !== null).map(({ guid }) => guid));
    const fresh = [...new Set([...first, ...read.map(({ guid }) => guid)])].filter((guid) => !has.has(guid));
    const managers = read.flatMap(({ manager }) => (manager === null ? [] : (index.find(manager) ?? [])));
    const others = await this.guids(AROUND, [holders, fresh]);
    const guids = await this.guids(CHAIN, [[...new Set([...first, ...managers, ...others])]]);
    const people = await this.people(guids);
    const users = await usersForDirectoriesOf(this.database, {
      ids: people.flatMap(({ user_id }) => user_id ?? []),
      emails: addresses,
    });
    return { guids, people, users };
  }

  people(guids: readonly string[]): Promise<KnownPerson[]> {
    return this.query(
      `SELECT ${PERSON_COLUMNS} FROM directory_users WHERE ${OWN} AND object_guid = ANY($3::text[]) ORDER BY id`,
      [guids],
    );
  }

  private async guids(text: string, values: readonly unknown[]): Promise<string[]> {
    return (await this.query<{ guid: string }>(text, values)).map(({ guid }) => guid);
  }

  private query<T extends object>(text: string, values: readonly unknown[]): Promise<T[]> {
    return this.database.query<T>(text, [currentWorkspaceId(), this.connectionId, ...values]);
  }
}

const OWN = 'workspace_id = $1 AND connection_id = $2';

/** SQL of what one row leads to. `OFFSET 0`: an index is asked in each round; else a plan may read whole tables in each, 500 groups deep. */
const each = (name: string, text: string): string => `CROSS JOIN LATERAL (${text} OFFSET 0) AS ${name}`;

const BELOW = `WITH RECURSIVE below AS (
    SELECT unnest($3::text[]) AS guid
    UNION SELECT m.member_guid FROM below b
      ${each('g', 'SELECT n.id FROM directory_groups n WHERE n.workspace_id = $1 AND n.connection_id = $2 AND n.object_guid = b.guid')}
      ${each('m', 'SELECT t.member_guid FROM directory_members t WHERE t.workspace_id = $1 AND t.group_id = g.id')}
  ) SELECT guid FROM below LIMIT ${MANY + 1}`;

const ABOVE = `WITH RECURSIVE above AS (
    SELECT unnest($3::text[]) AS guid
    UNION SELECT g.object_guid FROM above a
      ${each('m', 'SELECT t.group_id FROM directory_members t WHERE t.workspace_id = $1 AND t.connection_id = $2 AND t.member_guid = a.guid')}
      ${each('g', 'SELECT n.object_guid FROM directory_groups n WHERE n.workspace_id = $1 AND n.id = m.group_id')}
  ) SELECT guid FROM above`;

/** Whoever is somebody's manager, up to the top. */
const CHAIN = `WITH RECURSIVE above AS (
    SELECT unnest($3::text[]) AS guid
    UNION SELECT u.manager_guid FROM above a
      ${each('u', 'SELECT t.manager_guid FROM directory_users t WHERE t.workspace_id = $1 AND t.connection_id = $2 AND t.object_guid = a.guid AND t.manager_guid IS NOT NULL')}
  ) SELECT guid FROM above`;

const AROUND = `SELECT object_guid AS guid FROM directory_users WHERE ${OWN} AND id = ANY($3::bigint[])
  UNION SELECT object_guid FROM directory_users WHERE ${OWN} AND manager_guid = ANY($4::text[])`;

const UNSETTLED = `SELECT object_guid AS guid FROM directory_users WHERE ${OWN} AND id = ANY($3::bigint[])
  UNION SELECT object_guid FROM directory_users WHERE ${OWN} AND sync_status IN ('error', 'pending')
  UNION SELECT object_guid FROM directory_users WHERE ${OWN} AND link_status = 'conflict'`;

const WAITING = `SELECT g.id, g.object_guid AS guid, m.member_guid AS reference FROM directory_members m
  JOIN directory_groups g ON g.workspace_id = m.workspace_id AND g.id = m.group_id
  WHERE m.workspace_id = $1 AND m.connection_id = $2 AND m.reference_key = ANY($3::text[])`;
