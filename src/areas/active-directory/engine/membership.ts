import { comparableName } from './distinguished-name';
import type { KnownGroup, KnownPerson, Mapping, Referenced, Snapshot } from './objects';
import { MAX_REFERENCE } from './reference-key';

/** Finds objects by guid, or by distinguished name. */
export class ObjectIndex {
  private readonly byName = new Map<string, string>();
  private readonly guids = new Set<string>();

  /** What comes later takes the name of what came before: objects move, and others take their place. */
  add({ guid, distinguished_name }: { guid: string; distinguished_name: string | null }): void {
    this.guids.add(guid);
    if (distinguished_name === null) return;
    // Directories mostly write a name in one way: comparing is the exception.
    this.byName.set(distinguished_name.toLowerCase(), guid);
    this.byName.set(comparableName(distinguished_name), guid);
  }

  /** Groups without a distinguished name are found by their name, as long as no two have it. */
  addNames(groups: readonly { guid: string; name: string }[]): void {
    const names = new Map<string, string | null>();
    for (const { guid, name } of groups) {
      const key = comparableName(name);
      names.set(key, names.has(key) ? null : guid);
    }
    for (const [key, guid] of names) if (guid !== null && !this.byName.has(key)) this.byName.set(key, guid);
  }

  /** The guid of what a reference names; undefined when it is not known. */
  find(reference: string): string | undefined {
    const guid = reference.toLowerCase();
    return this.guids.has(guid) ? guid : (this.byName.get(guid) ?? this.byName.get(comparableName(reference)));
  }
}

/** What is known after what was read: groups with their members as guids. */
export interface Membership {
  index: ObjectIndex;
  groups: ReadonlyMap<string, { distinguished_name: string | null; members: ReadonlySet<string> }>;
}

/** @param gone groups that are no more */
export function membershipOf(
  { people, groups }: Pick<Snapshot, 'people' | 'groups'>,
  known: { people: readonly KnownPerson[]; groups: readonly KnownGroup[]; referenced?: readonly Referenced[] },
  gone: ReadonlySet<string>,
): Membership {
  const index = new ObjectIndex();
  const { referenced = [] } = known;
  for (const object of [...known.people, ...known.groups, ...referenced, ...people, ...groups]) index.add(object);
  const named = referenced.flatMap(({ name, ...rest }) => (name === null ? [] : [{ ...rest, name }]));
  const nameless = new Map([...known.groups, ...named, ...groups].map((group) => [group.guid, group]));
  for (const guid of gone) nameless.delete(guid);
  index.addNames([...nameless.values()].filter(({ distinguished_name }) => distinguished_name === null));
  const found = new Map<string, { distinguished_name: string | null; members: ReadonlySet<string> }>();
  // What is not known yet is kept as it was written: it may come to be known.
  const resolved = (members: readonly string[]): Set<string> =>
    new Set(members.filter((each) => each.length <= MAX_REFERENCE).map((each) => index.find(each) ?? each));
  for (const { guid, distinguished_name, members } of known.groups)
    if (!gone.has(guid)) found.set(guid, { distinguished_name, members: resolved(members) });
  for (const { guid, distinguished_name, members } of groups)
    found.set(guid, { distinguished_name, members: resolved(members) });
  return { index, groups: found };
}

/** Guids of everything within a group, through groups of groups, circles included; the group itself is not. */
export function within({ groups }: Membership, group: string, isNested: boolean): Set<string> {
  const found = new Set<string>();
  const waiting = [group];
  const seen = new Set(waiting);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const member of groups.get(next)?.members ?? []) {
      found.add(member);
      if (!isNested || !groups.has(member) || seen.has(member)) continue;
      seen.add(member);
      waiting.push(member);
    }
  }
  return found;
}

/** What somebody is to be here. */
export interface Mapped {
  /** Null: no mapping says so. */
  role: string | null;
  role_id: number | null;
  team_ids: number[];
}

/** What the mappings make of each member of their groups, by guid: the role of the highest priority, the teams of all. */
export function mappedBy(membership: Membership, mappings: readonly Mapping[]): Map<string, Mapped> {
  const found = new Map<string, Mapped>();
  const ordered = mappings.map((mapping, place) => ({ mapping, place }));
  ordered.sort((one, other) => other.mapping.priority - one.mapping.priority || one.place - other.place);
  for (const { mapping } of ordered) {
    const group = membership.index.find(mapping.group);
    if (group === undefined) continue;
    for (const guid of within(membership, group, mapping.include_nested)) {
      const mapped = found.get(guid);
      if (!mapped) {
        found.set(guid, { role: mapping.role, role_id: mapping.role_id, team_ids: [...mapping.team_ids] });
        continue;
      }
      if (mapped.role === null) Object.assign(mapped, { role: mapping.role, role_id: mapping.role_id });
      for (const team of mapping.team_ids) if (!mapped.team_ids.includes(team)) mapped.team_ids.push(team);
    }
  }
  return found;
}
