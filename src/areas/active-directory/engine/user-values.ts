import type { Mapped } from './membership';
import type { Applied, LocalUser, Person, Rules } from './objects';
import type { UserValues } from './plan';
import { firstCharacters } from '../../../platform/text/normalise';

const MAX_NAME = 120;
const MAX_PHONE = 50;

/** Statuses without access. */
export const OFF: readonly string[] = ['deactivated', 'suspended'];

/** What the directory calls somebody, never empty. */
export function nameOf({ display_name, given_name, surname, email, username, guid }: Described): string {
  const full = [given_name, surname].filter((part) => part !== null).join(' ');
  const found = [display_name, full, email ?? '', username ?? ''].find((text) => text.trim() !== '') ?? guid;
  return firstCharacters(found.trim(), MAX_NAME);
}

/** What somebody is to be here: by a mapping, else as those without one; null when they are nobody's business. */
export function roleOf(mapped: Mapped | undefined, rules: Rules): Pick<Mapped, 'role' | 'role_id'> | null {
  if (mapped && mapped.role !== null) return mapped;
  const { users_without_mapping: role } = rules;
  return role === 'skip' || role === 'contact' ? null : { role, role_id: null };
}

/** Whether somebody here has given the user the role that they have: then the directory leaves it. */
export function hasManualRole(user: LocalUser, applied: Applied | null, rules: Rules): boolean {
  if (user.role === 'owner') return true;
  if (!rules.preserve_manual_roles) return false;
  return applied?.role === undefined || applied.role !== user.role || (applied.role_id ?? null) !== user.role_id;
}

/** The values of a user, and what is known of them afterwards as said by the directory. */
export interface Wanted {
  values: UserValues;
  applied: Applied;
}

/**
 * What of a user changes because the directory says something else than it did: three versions are compared, so what was changed
 * here stays until the directory has something new to say. `user` null: all of a new one.
 *
 * @param email that they are to have; null = as it is
 */
export function wantedOf(
  person: Person,
  user: LocalUser | null,
  before: Applied | null,
  mapped: Mapped | undefined,
  rules: Rules,
  email: string | null,
): Wanted {
  const values: UserValues = {};
  const applied: Applied = { ...before };
  const said = saidOf(person);
  if (before?.name !== said.name) {
    applied.name = said.name;
    if (user?.name !== said.name) values.name = said.name;
  }
  if (email !== null && before?.email !== email) {
    applied.email = email;
    if (user?.email.toLowerCase() !== email) values.email = email;
  }
  for (const name of ['title', 'phone'] as const) {
    const value = said[name];
    // What the directory never had an opinion of is no reason to empty it.
    if (before?.[name] === value || (before?.[name] === undefined && value === null)) continue;
    applied[name] = value;
    if (user?.[name] !== value) values[name] = value;
  }
  const role = roleOf(mapped, rules);
  if (role?.role && !(user && hasManualRole(user, before, rules))) {
    Object.assign(applied, { role: role.role, role_id: role.role_id });
    if (user?.role !== role.role) values.role = role.role;
    if ((user?.role_id ?? null) !== role.role_id) values.role_id = role.role_id;
  }
  if (role) addTeams({ values, applied }, mapped?.team_ids ?? [], user, before?.team_ids ?? []);
  return { values, applied };
}

type Described = Omit<Person, 'manager' | 'when_created' | 'when_changed' | 'state'>;

/** What the directory says of somebody that users have, too. */
function saidOf(person: Described): { name: string; title: string | null; phone: string | null } {
  const phone = person.phone ?? person.mobile;
  return {
    name: nameOf(person),
    title: person.title === null ? null : firstCharacters(person.title, MAX_NAME),
    phone: phone !== null && phone.length <= MAX_PHONE ? phone : null,
  };
}

/** Of whom somebody makes a user before a run does: the role is given here, and so is no matter of the directory. */
export function firstValues(person: Described, address: string): { values: UserValues; applied: Applied } {
  const email = address.toLowerCase();
  const { name, title, phone } = saidOf(person);
  const known = { name, email, ...(title === null ? {} : { title }), ...(phone === null ? {} : { phone }) };
  return { values: known, applied: { ...known } };
}

/** Teams that mappings give and take; those that somebody gave here stay, and so do those that somebody took. */
function addTeams(
  { values, applied }: Wanted,
  wanted: readonly number[],
  user: LocalUser | null,
  given: readonly number[],
): void {
  const has = user?.team_ids ?? [];
  const add = wanted.filter((team) => !given.includes(team) && !has.includes(team));
  const remove = given.filter((team) => !wanted.includes(team) && has.includes(team));
  if (wanted.length > 0 || given.length > 0) applied.team_ids = [...wanted];
  if (add.length > 0 || remove.length > 0) values.teams = { add, remove };
}
