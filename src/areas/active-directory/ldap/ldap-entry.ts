import type { Entry } from 'ldapts';
import type { Group, GroupScope, Person, Unreadable } from '../engine/objects';
import type { LdapConfig } from './ldap-config';
import { firstCharacters } from '../../../platform/text/normalise';

const DISABLED = 0x2;
const LOCKED = 0x10;
const MAX_TEXT = 255;

/** What numbers or dates the changes of an entry: of Active Directory, of OpenLDAP, of others. */
const STATES = ['uSNChanged', 'entryCSN', 'modifyTimestamp'];

/** Attributes that come as bytes. */
export function binaryAttributes({ attribute_guid }: LdapConfig): string[] {
  return [attribute_guid];
}

/** What is asked of people. */
export function personAttributes(config: LdapConfig): string[] {
  const { attribute_guid, attribute_username, attribute_email, attribute_display_name, attribute_title } = config;
  const { attribute_department, attribute_phone, attribute_upn, attribute_first_name, attribute_last_name } = config;
  const { attribute_mobile, attribute_manager, attribute_office } = config;
  return [
    ...[attribute_guid, attribute_username, attribute_email, attribute_display_name, attribute_title],
    ...[attribute_department, attribute_phone, attribute_upn, attribute_first_name, attribute_last_name, 'cn'],
    ...[attribute_mobile, attribute_manager, attribute_office],
    ...['userAccountControl', 'lockoutTime', 'whenCreated', 'whenChanged', ...STATES],
  ];
}

export function groupAttributes({ attribute_guid, attribute_member }: LdapConfig): string[] {
  return [attribute_guid, 'cn', 'description', 'groupType', attribute_member, 'uniqueMember'];
}

/** Somebody, or why they cannot be read. */
export function personOf(entry: Entry, config: LdapConfig): Person | Unreadable {
  const guid = guidOf(entry, config.attribute_guid);
  const text = (name: string): string | null => textOf(entry, name);
  const control = Number(text('userAccountControl') ?? 0);
  const names = [
    text(config.attribute_display_name),
    text('cn'),
    text(config.attribute_username),
    text(config.attribute_email),
  ];
  const display_name = names.find((each) => each !== null) ?? firstCharacters(entry.dn, MAX_TEXT);
  if (guid === null) return { guid, name: display_name, message: `The entry has no ${config.attribute_guid}.` };
  return {
    guid,
    display_name,
    distinguished_name: entry.dn,
    username: text(config.attribute_username),
    user_principal_name: text(config.attribute_upn),
    email: text(config.attribute_email)?.toLowerCase() ?? null,
    given_name: text(config.attribute_first_name),
    surname: text(config.attribute_last_name),
    title: text(config.attribute_title),
    department: text(config.attribute_department),
    office: text(config.attribute_office),
    phone: text(config.attribute_phone),
    mobile: text(config.attribute_mobile),
    manager: valuesOf(entry, config.attribute_manager)[0] ?? null,
    enabled: (control & DISABLED) === 0,
    locked: (control & LOCKED) !== 0 || Number(text('lockoutTime') ?? 0) > 0,
    when_created: momentOf(text('whenCreated')),
    when_changed: momentOf(text('whenChanged')),
    state: STATES.map(text).find((each) => each !== null) ?? null,
  };
}

/** Attributes that may have a photo, in the order in which they are taken. */
export function photoAttributes({ attribute_photo }: LdapConfig): string[] {
  return [...new Set([attribute_photo, 'thumbnailPhoto', 'jpegPhoto'])];
}

/** The photo of an entry; null where it has none. */
export function photoOf(entry: Entry, config: LdapConfig): Buffer | null {
  for (const name of photoAttributes(config)) {
    const [value] = [entry[name] ?? []].flat();
    if (Buffer.isBuffer(value) && value.length > 0) return value;
  }
  return null;
}

/** A group as it came, with the members of this answer. */
export function groupOf(entry: Entry, config: LdapConfig): Group | Unreadable {
  const guid = guidOf(entry, config.attribute_guid);
  const name = textOf(entry, 'cn') ?? firstCharacters(entry.dn, MAX_TEXT);
  if (guid === null) return { guid, name, message: `The entry has no ${config.attribute_guid}.` };
  const members = [...valuesOf(entry, config.attribute_member), ...valuesOf(entry, 'uniqueMember')];
  const description = firstOf(entry, 'description', 1_024);
  return { guid, name, description, distinguished_name: entry.dn, ...kindOf(textOf(entry, 'groupType')), members };
}

/** Bits of `groupType` ([MS-ADTS] 2.2.12). */
const SCOPES: readonly (readonly [number, GroupScope])[] = [
  [0x2, 'global'],
  [0x4, 'domain_local'],
  [0x8, 'universal'],
];
const SECURITY = 0x80000000;

/** What a group is by its `groupType`: a number of 32 bits, told with a sign; null where there is none. */
export function kindOf(said: string | null): Pick<Group, 'scope' | 'type'> {
  if (said === null || !/^-?\d{1,10}$/.test(said)) return { scope: null, type: null };
  const bits = Number(said);
  const scope = SCOPES.find(([bit]) => (bits & bit) !== 0)?.[1] ?? null;
  return { scope, type: (bits & SECURITY) === 0 ? 'distribution' : 'security' };
}

/** A part of the values of an attribute that the server hands out in parts (`member;range=0-1499`). */
export interface Range {
  values: string[];
  /** Where the next part begins; null when this is the last one. */
  next: number | null;
}

/** The part that an answer has; null when the values came as a whole. */
export function rangeOf(entry: Entry, attribute: string): Range | null {
  const prefix = `${attribute};range=`.toLowerCase();
  const name = Object.keys(entry).find((each) => each.toLowerCase().startsWith(prefix));
  const bounds = /;range=\d+-(\d+|\*)$/i.exec(name ?? '')?.[1];
  if (name === undefined || bounds === undefined) return null;
  return { values: valuesOf(entry, name), next: bounds === '*' ? null : Number(bounds) + 1 };
}

/** The first value as a text of at most 255 characters; null when there is none. */
export function textOf(entry: Entry, name: string): string | null {
  return firstOf(entry, name, MAX_TEXT);
}

function firstOf(entry: Entry, name: string, max: number): string | null {
  const text = firstCharacters(valuesOf(entry, name)[0]?.replaceAll('\0', '').trim() ?? '', max);
  return text === '' ? null : text;
}

function valuesOf(entry: Entry, name: string): string[] {
  const key = name in entry ? name : Object.keys(entry).find((each) => each.toLowerCase() === name.toLowerCase());
  const value = key === undefined ? [] : entry[key];
  return [value ?? []].flat().map((each) => (Buffer.isBuffer(each) ? each.toString('utf8') : each));
}

/** Sixteen bytes are a GUID as Microsoft writes it, the first three parts with their last byte first; everything else is a text. */
export function guidOf(entry: Entry, name: string): string | null {
  const [value] = [entry[name] ?? []].flat();
  if (value === undefined) return null;
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value);
  if (bytes.length !== 16) {
    const text = bytes.toString('utf8').trim().toLowerCase();
    return text === '' || text.length > MAX_TEXT ? null : text;
  }
  const part = (from: number, to: number): Buffer => bytes.subarray(from, to);
  const parts = [part(0, 4).toReversed(), part(4, 6).toReversed(), part(6, 8).toReversed(), part(8, 10), part(10, 16)];
  return parts.map((each) => Buffer.from(each).toString('hex')).join('-');
}

/** `20260102030405.0Z` as ISO 8601; null when it is no such moment. */
function momentOf(text: string | null): string | null {
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/.exec(text ?? '');
  if (!found) return null;
  const [, year, month, day, hour, minute, second] = found;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
