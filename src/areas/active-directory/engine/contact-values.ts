import type { AppliedContact, LocalContact, Person } from './objects';
import type { ContactValues } from './plan';
import type { Case, Situation } from './situation';
import { hasManualRole, nameOf, roleOf } from './user-values';
import { firstCharacters } from '../../../platform/text/normalise';

const MAX_TITLE = 120;
const MAX_PHONE = 50;

/** Whether the connection makes a contact of somebody: who may work is none of them. */
export function toBeContact({ person, known, user, mapped }: Case, { rules }: Situation): boolean {
  if (rules.users_without_mapping !== 'contact' || !person.enabled || known?.link_status === 'ignored') return false;
  if (roleOf(mapped, rules) !== null) return false;
  return user === null || !hasManualRole(user, known?.applied ?? null, rules);
}

/** Whether what is new of somebody is told with their contact: they have no user, and get none. */
export function isCustomer(each: Case, situation: Situation): boolean {
  const { person, known, user, mapped } = each;
  if (user !== null || known?.link_status === 'ignored') return false;
  if (person.enabled && roleOf(mapped, situation.rules) !== null) return false;
  return toBeContact(each, situation) || (known?.contact_id ?? null) !== null;
}

/**
 * What of a contact changes because the directory says something else than it did, as of users: what was changed here stays until the
 * directory has something new to say. `contact` null: all of a new one.
 */
export function contactOf(
  person: Person,
  contact: LocalContact | null,
  before: AppliedContact | null,
): { values: ContactValues; applied: AppliedContact } {
  const values: ContactValues = {};
  const applied: AppliedContact = { ...before };
  const name = nameOf(person);
  const email = person.email?.toLowerCase() ?? null;
  if (before?.name !== name) {
    applied.name = name;
    if (contact?.name !== name) values.name = name;
  }
  if (email !== null && before?.email !== email) {
    applied.email = email;
    if (contact?.email.toLowerCase() !== email) values.email = email;
  }
  const said = {
    phone: fitting(person.phone),
    mobile: fitting(person.mobile),
    job_title: person.title === null ? null : firstCharacters(person.title, MAX_TITLE),
  };
  for (const field of ['phone', 'mobile', 'job_title'] as const) {
    const value = said[field];
    // What the directory never had an opinion of is no reason to empty it.
    if (before?.[field] === value || (before?.[field] === undefined && value === null)) continue;
    applied[field] = value;
    if (contact?.[field] !== value) values[field] = value;
  }
  return { values, applied };
}

function fitting(phone: string | null): string | null {
  return phone !== null && phone.length <= MAX_PHONE ? phone : null;
}
