import { isRecord } from '../../../platform/text/json';
import type { Group, GroupType, Person } from '../engine/objects';

/** What is asked of people and of groups. */
export const USER_FIELDS = [
  ...['id', 'displayName', 'givenName', 'surname', 'mail', 'userPrincipalName', 'onPremisesSamAccountName', 'jobTitle'],
  ...['department', 'officeLocation', 'businessPhones', 'mobilePhone', 'accountEnabled', 'createdDateTime', 'manager'],
].join(',');
export const GROUP_FIELDS = 'id,displayName,description,groupTypes,securityEnabled,members';

type Entry = Readonly<Record<string, unknown>>;

const MAX_TEXT = 255;

/** Of a group, what an answer says: only what has changed, and members in several parts. */
export interface GroupPart {
  guid: string;
  name: string | null;
  /** Undefined: not said. */
  description: string | null | undefined;
  isUnified: boolean | undefined;
  isSecurity: boolean | undefined;
  added: readonly string[];
  removed: readonly string[];
}

export const idOf = ({ id }: Entry): string | null =>
  typeof id === 'string' && id !== '' && id.length <= MAX_TEXT ? id.toLowerCase() : null;
export const isRemoved = (entry: Entry): boolean => isRecord(entry['@removed']);

/** Somebody as an answer has them; what it does not say is as it was. @param before null = nobody is known */
export function personOf(guid: string, entry: Entry, before: Person | null): Person {
  const said = (name: string, was: string | null): string | null => (name in entry ? textOf(entry[name]) : was);
  const user_principal_name = said('userPrincipalName', before?.user_principal_name ?? null);
  const mail = 'mail' in entry ? textOf(entry.mail) : undefined;
  const given_name = said('givenName', before?.given_name ?? null);
  const surname = said('surname', before?.surname ?? null);
  const names = [
    said('displayName', before?.display_name ?? null),
    [given_name, surname].filter(Boolean).join(' '),
    user_principal_name,
  ];
  const phones: unknown[] = Array.isArray(entry.businessPhones) ? entry.businessPhones : [];
  const [phone] = phones;
  return {
    guid,
    distinguished_name: null,
    username: said('onPremisesSamAccountName', before?.username ?? null) ?? user_principal_name,
    user_principal_name,
    email: mail === undefined && before ? before.email : (mail ?? addressOf(user_principal_name)),
    display_name: names.find((name) => name !== null && name !== '') ?? guid,
    ...{ given_name, surname, title: said('jobTitle', before?.title ?? null) },
    ...{
      department: said('department', before?.department ?? null),
      office: said('officeLocation', before?.office ?? null),
    },
    phone: 'businessPhones' in entry ? textOf(phone) : (before?.phone ?? null),
    mobile: said('mobilePhone', before?.mobile ?? null),
    manager: managerOf(entry, before?.manager ?? null),
    enabled: typeof entry.accountEnabled === 'boolean' ? entry.accountEnabled : (before?.enabled ?? true),
    locked: false,
    when_created: momentOf(entry.createdDateTime) ?? before?.when_created ?? null,
    when_changed: before?.when_changed ?? null,
  };
}

export function groupPartOf(guid: string, entry: Entry): GroupPart {
  const members = Array.isArray(entry['members@delta']) ? entry['members@delta'].filter(isRecord) : [];
  const ids = (list: readonly Entry[]): string[] => list.flatMap((each) => idOf(each) ?? []);
  return {
    guid,
    name: textOf(entry.displayName),
    description: 'description' in entry ? textOf(entry.description, 1_024) : undefined,
    isUnified: Array.isArray(entry.groupTypes) ? entry.groupTypes.includes('Unified') : undefined,
    isSecurity: typeof entry.securityEnabled === 'boolean' ? entry.securityEnabled : undefined,
    added: ids(members.filter((each) => !isRemoved(each))),
    removed: ids(members.filter(isRemoved)),
  };
}

/** A group after what was said of it, part by part. */
export function groupOf(guid: string, parts: readonly GroupPart[], before: Group | null): Group {
  const members = new Set(before?.members);
  let [name, description, type] = [before?.name ?? guid, before?.description ?? null, before?.type ?? null];
  for (const part of parts) {
    name = part.name ?? name;
    if (part.description !== undefined) description = part.description;
    type = typeOf(part, type);
    for (const each of part.added) members.add(each);
    for (const each of part.removed) members.delete(each);
  }
  return { guid, distinguished_name: null, name, description, scope: null, type, members: [...members] };
}

/** What a group is after what was said of it (learn.microsoft.com: "Working with groups in Microsoft Graph"). */
function typeOf({ isUnified, isSecurity }: GroupPart, was: GroupType | null): GroupType | null {
  if (isUnified === true) return 'microsoft_365';
  if (isSecurity === undefined) return was;
  // Only what has changed is said: one for working together stays that.
  if (isUnified === undefined && was === 'microsoft_365') return was;
  return isSecurity ? 'security' : 'distribution';
}

/** Guests have a principal name that is no address: `ann_example.org#EXT#@acme.onmicrosoft.com`. */
function addressOf(principal: string | null): string | null {
  return principal !== null && !principal.includes('#') && /^[^\s@]+@[^\s@]+$/.test(principal)
    ? principal.toLowerCase()
    : null;
}

function managerOf(entry: Entry, before: string | null): string | null {
  const told = entry['manager@delta'];
  if (!Array.isArray(told)) return before;
  const found = told.filter(isRecord).find((each) => !isRemoved(each));
  return found ? idOf(found) : null;
}

function textOf(value: unknown, max = MAX_TEXT): string | null {
  const text = typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().trim().slice(0, max) : '';
  return text === '' ? null : text;
}

function momentOf(value: unknown): string | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
