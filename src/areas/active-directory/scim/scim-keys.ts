import { isRecord } from '../../../platform/text/json';
import type { Content } from './protocol/content';
import type { Filter } from './protocol/filter';
import { resolve } from './protocol/path';
import type { ResourceType } from './protocol/schema';

/** Takes a value, answers its place (`$4`). */
export type Bind = (value: unknown) => string;

/** What a resource is found by. */
export interface Keys {
  name: string;
  name_key: string;
  external_id: string | null;
  email_key: string | null;
}

/** The key of somebody with several addresses: whoever asks for one of them looks at those, too. */
const SEVERAL = '*';

export function keysOf({ naming }: ResourceType, content: Content): Keys {
  const name = String(content[naming]);
  const addresses = new Set(
    [content.emails ?? []]
      .flat()
      .flatMap((each) => (isRecord(each) && typeof each.value === 'string' ? each.value.toLowerCase() : [])),
  );
  const [address = null] = addresses;
  const { externalId } = content;
  return {
    ...{ name, name_key: name.toLowerCase() },
    external_id: typeof externalId === 'string' ? externalId : null,
    email_key: addresses.size > 1 ? SEVERAL : address,
  };
}

/**
 * A condition that everything fulfils which the filter finds, by a key: the rest is for `matches` to decide. Null when the filter has
 * none. Pure.
 *
 * @param bind takes a value, answers its place (`$4`)
 */
export function narrowed(type: ResourceType, filter: Filter, bind: Bind): string | null {
  if (filter.op === 'and') return firstOf(filter.of.map((each) => () => narrowed(type, each, bind)));
  if (filter.op === 'some') {
    const found = resolve(type, filter.path);
    return found?.attribute.name === 'emails' || found?.attribute.name === 'members'
      ? inside(found.attribute.name, filter.of, bind)
      : null;
  }
  if (filter.op !== 'eq' || typeof filter.value !== 'string' || filter.value === '') return null;
  const found = resolve(type, filter.path);
  if (!found || found.extension !== null || (found.sub && found.sub.name !== 'value')) return null;
  return keyed(type, found.attribute.name, filter.value, bind);
}

function inside(list: 'emails' | 'members', filter: Filter, bind: Bind): string | null {
  if (filter.op === 'and') return firstOf(filter.of.map((each) => () => inside(list, each, bind)));
  const isValue = filter.op === 'eq' && filter.path.toLowerCase() === 'value' && typeof filter.value === 'string';
  return isValue ? listed(list, String(filter.value), bind) : null;
}

function keyed({ naming }: ResourceType, name: string, value: string, bind: Bind): string | null {
  if (name === 'id') return `r.id = ${bind(value)}`;
  if (name === 'externalId') return `external_id = ${bind(value)}`;
  if (name === naming) return `name_key = ${bind(value.toLowerCase())}`;
  return name === 'emails' || name === 'members' ? listed(name, value, bind) : null;
}

function listed(list: 'emails' | 'members', value: string, bind: Bind): string {
  if (list === 'emails') return `email_key IN (${bind(value.toLowerCase())}, '${SEVERAL}')`;
  return `r.id IN (SELECT m.group_id FROM scim_members m WHERE m.workspace_id = $1 AND m.member_id = ${bind(value)})`;
}

function firstOf(choices: readonly (() => string | null)[]): string | null {
  for (const choice of choices) {
    const found = choice();
    if (found !== null) return found;
  }
  return null;
}
