import type { Group, Person, Snapshot } from '../engine/objects';
import type { SentPhoto } from '../photos/sent-photos';
import type { ImportObjects, PushedUser } from './import.dto';

/** What was sent in one request, as runs compare it. */
export type Part = Pick<Snapshot, 'people' | 'groups' | 'removed'>;

const DISABLED = 0x2;
const LOCKED = 0x10;

/** What a body has, cleaned up. Pure. */
export function partOf({ users = [], groups = [], removed = [] }: ImportObjects): Part {
  return {
    people: users.map(personOf),
    groups: groups.map(({ object_guid, name, distinguished_name, description, scope, type, members = [] }) => ({
      guid: object_guid.toLowerCase(),
      name: name.trim(),
      distinguished_name: clean(distinguished_name),
      description: clean(description),
      scope: scope ?? null,
      type: type ?? null,
      members,
    })),
    removed: removed.map((guid) => guid.toLowerCase()),
  };
}

/** The photos of a body: of whom it says something of that. Pure. */
export function photosOf({ users = [] }: ImportObjects): SentPhoto[] {
  return users.flatMap(({ object_guid, photo }) =>
    photo === undefined ? [] : [{ guid: object_guid.toLowerCase(), photo: photo === '' ? null : photo }],
  );
}

/** All parts as one: of somebody who came twice the last counts, of a group the members of all of its parts. */
export function merged(parts: readonly Part[]): Part {
  const people = new Map<string, Person>();
  const groups = new Map<string, { group: Group; members: string[] }>();
  for (const part of parts) {
    for (const person of part.people) people.set(person.guid, person);
    for (const group of part.groups) {
      const before = groups.get(group.guid)?.members ?? [];
      for (const member of group.members) before.push(member);
      groups.set(group.guid, { group, members: before });
    }
  }
  return {
    people: [...people.values()],
    groups: [...groups.values()].map(({ group, members }) => ({ ...group, members: [...new Set(members)] })),
    removed: [...new Set(parts.flatMap(({ removed }) => removed))],
  };
}

function personOf({
  object_guid,
  user_account_control: control,
  enabled = true,
  locked = false,
  ...said
}: PushedUser): Person {
  const { username, email, when_created = null, when_changed = null } = said;
  const names = [said.display_name, username, email, object_guid].map(clean);
  const has = (bit: number): boolean => ((control ?? 0) & bit) !== 0;
  return {
    guid: object_guid.toLowerCase(),
    distinguished_name: clean(said.distinguished_name),
    username: clean(username),
    user_principal_name: clean(said.user_principal_name),
    email: clean(email)?.toLowerCase() ?? null,
    display_name: names.find((name) => name !== null) ?? object_guid,
    given_name: clean(said.given_name),
    surname: clean(said.surname),
    title: clean(said.title),
    department: clean(said.department),
    office: clean(said.office),
    phone: clean(said.phone),
    mobile: clean(said.mobile),
    manager: clean(said.manager),
    enabled: control === null || control === undefined ? enabled : !has(DISABLED),
    locked: control === null || control === undefined ? locked : has(LOCKED),
    when_created,
    when_changed,
  };
}

/** PostgreSQL keeps no NUL. */
function clean(text: string | null | undefined): string | null {
  const kept = text?.replaceAll('\0', '').trim();
  return kept === undefined || kept === '' ? null : kept;
}
