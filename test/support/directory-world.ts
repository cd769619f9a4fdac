import type {
  Group,
  KnownGroup,
  KnownPerson,
  Local,
  LocalUser,
  Person,
  Snapshot,
} from '../../src/areas/active-directory/engine/objects';
import type { Plan, PlannedChange, UserValues } from '../../src/areas/active-directory/engine/plan';

/** What a directory and a workspace know of each other, in memory. */
export type World = Local;

export function person(guid: string, values: Partial<Person> = {}): Person {
  return {
    ...{ guid, distinguished_name: null, username: null, user_principal_name: null, email: `${guid}@x.example` },
    ...{ display_name: `Person ${guid}`, given_name: null, surname: null, title: null, department: null, office: null },
    ...{
      phone: null,
      mobile: null,
      manager: null,
      enabled: true,
      locked: false,
      when_created: null,
      when_changed: null,
    },
    ...values,
  };
}

export function group(guid: string, members: readonly string[]): Group {
  return { guid, distinguished_name: null, name: guid, description: null, scope: null, type: null, members };
}

export function snapshot(read: Partial<Snapshot>): Snapshot {
  return { mode: 'full', people: [], groups: [], removed: [], unreadable: [], ...read };
}

/** A workspace with these users, and a directory that nobody has looked at. */
export function nothingKnown(
  users: readonly (Partial<LocalUser> & Pick<LocalUser, 'id' | 'email' | 'role'>)[] = [],
): World {
  const usual = {
    role_id: null,
    status: 'active',
    title: null,
    phone: null,
    team_ids: [],
    manager_id: null,
    directory_user_id: null,
  };
  return {
    just_left: 0,
    people: [],
    groups: [],
    users: users.map((user) => ({ name: `User ${user.id}`, ...usual, ...user })),
  };
}

/** What is there once a plan was carried out, as the service does it. */
export function carriedOut(world: World, { changes }: Plan): World {
  const people = new Map(world.people.map((each) => [each.guid, { ...each }]));
  const groups = new Map(world.groups.map((each) => [each.guid, { ...each }]));
  const users = new Map(world.users.map((each) => [each.id, { ...each }]));
  for (const change of changes.filter(({ result }) => result === 'planned')) {
    if (change.object === 'group') carryGroup(groups, change);
    else carryPerson(people, users, change);
  }
  return { just_left: 0, people: [...people.values()], groups: [...groups.values()], users: [...users.values()] };
}

function carryGroup(groups: Map<string, KnownGroup>, { guid, group: said, members, standing }: PlannedChange): void {
  const before = groups.get(guid) ?? {
    ...group(guid, []),
    id: groups.size + 1,
    mapped_role: null,
    mapped_team_ids: [],
    missing_runs: 0,
    sync_status: 'synced' as const,
  };
  const kept = before.members.filter((each) => !members?.remove.includes(each));
  groups.set(guid, {
    ...before,
    ...said,
    ...(standing as Partial<KnownGroup>),
    members: [...kept, ...(members?.add ?? [])],
  });
}

function carryPerson(people: Map<string, KnownPerson>, users: Map<number, LocalUser>, change: PlannedChange): void {
  const unknown = {
    ...person(change.guid),
    id: people.size + 1,
    user_id: null,
    link_status: 'unlinked',
    sync_status: 'synced',
    mapped_role: null,
    missing_runs: 0,
    applied: null,
    contact_id: null,
    contact_applied: null,
  } as const;
  const before: KnownPerson = people.get(change.guid) ?? unknown;
  const after: KnownPerson = {
    ...before,
    ...change.person,
    id: before.id,
    user_id: before.user_id,
    ...change.standing,
    applied: change.applied ? { ...before.applied, ...change.applied } : before.applied,
  };
  if (change.action === 'create') {
    const id = 100 + users.size;
    const base: LocalUser = {
      id,
      name: '',
      email: '',
      role: 'agent',
      role_id: null,
      status: 'active',
      title: null,
      phone: null,
      team_ids: [],
      manager_id: null,
      directory_user_id: after.id,
    };
    users.set(id, base);
    after.user_id = id;
  } else if (change.action === 'link' && change.link !== undefined) {
    for (const other of people.values())
      if (other.user_id === change.link) Object.assign(other, { user_id: null, link_status: 'unlinked' });
    after.user_id = change.link;
    Object.assign(users.get(change.link) ?? {}, { directory_user_id: after.id });
  }
  people.set(change.guid, after);
  const user = after.user_id === null ? undefined : users.get(after.user_id);
  if (user && change.user) Object.assign(user, valuesOf(user, change.user, people));
}

function valuesOf(
  user: LocalUser,
  { teams, manager, ...rest }: UserValues,
  people: ReadonlyMap<string, KnownPerson>,
): Partial<LocalUser> {
  const team_ids = [...user.team_ids.filter((id) => !teams?.remove.includes(id)), ...(teams?.add ?? [])];
  const manager_id =
    manager === undefined ? user.manager_id : manager === null ? null : (people.get(manager)?.user_id ?? null);
  return { ...rest, team_ids, manager_id };
}
