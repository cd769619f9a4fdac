import { isRecord } from '../../../platform/text/json';
import type { Group, Person } from '../engine/objects';
import type { Content } from './protocol/content';
import { ENTERPRISE } from './protocol/schema';
import type { Stored } from './scim-store';

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** Somebody as runs compare them. */
export function personOf({
  id,
  content,
  created_at,
  updated_at,
}: Pick<Stored, 'id' | 'content' | 'created_at' | 'updated_at'>): Person {
  const name = recordOf(content.name);
  const enterprise = recordOf(content[ENTERPRISE]);
  const username = textOf(content.userName);
  const [given_name, surname] = [textOf(name.givenName), textOf(name.familyName)];
  const whole = [given_name, surname].filter((part) => part !== null).join(' ');
  const email = bestOf(content.emails, ['work']) ?? (username !== null && ADDRESS.test(username) ? username : null);
  return {
    guid: id,
    distinguished_name: null,
    ...{ username, user_principal_name: username !== null && ADDRESS.test(username) ? username : null },
    email: email?.toLowerCase() ?? null,
    display_name: textOf(content.displayName) ?? textOf(name.formatted) ?? (whole !== '' ? whole : (username ?? id)),
    ...{ given_name, surname, title: textOf(content.title), department: textOf(enterprise.department) },
    office: recordOf(listOf(content.addresses).find((each) => each.type === 'work')).locality?.toString() ?? null,
    ...{
      phone: bestOf(content.phoneNumbers, ['work'], ['mobile', 'fax', 'pager']),
      mobile: ofType(content.phoneNumbers, 'mobile'),
    },
    manager: textOf(recordOf(enterprise.manager).value),
    ...{ enabled: content.active !== false, locked: false, when_created: created_at, when_changed: updated_at },
  };
}

export function groupOf({ id, content }: Pick<Stored, 'id' | 'content'>, members: readonly string[]): Group {
  return {
    guid: id,
    distinguished_name: null,
    name: textOf(content.displayName) ?? id,
    description: null,
    scope: null,
    type: null,
    members,
  };
}

/** The photo of somebody: the primary one, else the first that is no thumbnail, else the first. @param photos the member of that name */
export function photoIn(photos: unknown): string | null {
  return bestOf(photos, ['photo']);
}

/** The primary value, else the first of a kind, else the first that is of none of the others. */
function bestOf(values: unknown, kinds: readonly string[], never: readonly string[] = []): string | null {
  const list = listOf(values).filter(({ type }) => !never.includes(String(type).toLowerCase()));
  const found =
    list.find(({ primary }) => primary === true) ??
    list.find(({ type }) => kinds.includes(String(type).toLowerCase())) ??
    list[0];
  return textOf(found?.value);
}

function ofType(values: unknown, kind: string): string | null {
  return textOf(listOf(values).find(({ type }) => String(type).toLowerCase() === kind)?.value);
}

const listOf = (value: unknown): Content[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const recordOf = (value: unknown): Content => (isRecord(value) ? value : {});
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
