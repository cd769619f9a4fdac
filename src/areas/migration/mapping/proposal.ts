import type { Takeover } from '../../../platform/resource/takeover';
import type { EntityMapping } from './mapping.dto';
import { CODE, targetsOf } from './targets';
import { SOURCE_URL, webAddress } from './web-address';
import { namesOf, plainName, valueFor } from './words';

/** A record has at most fifty. */
export const MAX_CUSTOM_FIELDS = 40;

/** What each field of a source was seen to say. */
export interface Seen {
  name: string;
  /** Different texts, in the order of their coming: the first few hundred. */
  values: readonly string[];
}

/**
 * The mapping that is proposed for an entity: what its owner gave, and for the rest what names and values look like. Each field here is
 * filled by one of the source, the one whose name fits best.
 *
 * @param keepsRest whether what has no field here becomes a custom one
 * @param hasCodes whether records are matched by the codes that they have here
 */
export function proposed(
  takeover: Takeover,
  seen: readonly Seen[],
  given: EntityMapping = {},
  keepsRest = true,
  hasCodes = false,
): EntityMapping {
  const fields: Record<string, string | null> = { ...given.fields };
  const taken = new Set(Object.values(fields).filter((target) => target !== null));
  const targets = targetsOf(takeover);
  const entity = takeover.resource.name;
  const open = seen.filter(({ name }) => !Object.hasOwn(fields, name));
  const aside = hasCodes ? [SOURCE_URL, CODE] : [SOURCE_URL];
  const fits = [...targets.keys(), ...aside].flatMap((target) =>
    open.flatMap(({ name, values }) => {
      if (target === SOURCE_URL && !values.every((value) => webAddress(value) !== null)) return [];
      const rank = namesOf(entity, target).indexOf(plainName(name));
      return rank === -1 ? [] : [{ target, name, rank }];
    }),
  );
  for (const { target, name } of fits.sort((left, right) => left.rank - right.rank)) {
    if (taken.has(target) || Object.hasOwn(fields, name)) continue;
    fields[name] = target;
    taken.add(target);
  }
  const targetsTaken = taken.size;
  for (const { name } of open) {
    const key = customKey(name);
    if (Object.hasOwn(fields, name)) continue;
    const [whole = ''] = name.split('.');
    // Of an object either the whole is taken, or its members.
    const isPart = whole !== name && typeof fields[whole] === 'string' && !fields[whole].startsWith('custom_fields');
    const isWhole = open.some((other) => other.name.startsWith(`${name}.`));
    if (isPart || isWhole) {
      fields[name] = null;
      continue;
    }
    const isMeant = keepsRest || name.startsWith('custom_fields.');
    const isKept = key !== null && isMeant && !taken.has(key) && taken.size - targetsTaken < MAX_CUSTOM_FIELDS;
    fields[name] = isKept ? key : null;
    if (isKept) taken.add(key);
  }
  return Object.assign({}, given, { fields, values: valuesOf(takeover, seen, fields, given.values) });
}

/** What has no place among the fields is kept among those that everybody may name. */
export function customKey(name: string): string | null {
  if (name.startsWith('custom_fields.')) return name;
  const key = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .slice(0, 60);
  return key === '' ? null : `custom_fields.${key}`;
}

function valuesOf(
  takeover: Takeover,
  seen: readonly Seen[],
  fields: Readonly<Record<string, string | null>>,
  given: EntityMapping['values'] = {},
): NonNullable<EntityMapping['values']> {
  const targets = targetsOf(takeover);
  const values = { ...given };
  for (const { name, values: said } of seen) {
    const column = targets.get(fields[name] ?? '');
    const allowed = column?.values;
    if (!column || !allowed) continue;
    const known = { ...values[column.name] };
    for (const text of said) {
      if (Object.hasOwn(known, text) || allowed.includes(text)) continue;
      const value = valueFor(column.name, allowed, text);
      if (value !== null) known[text] = value;
    }
    if (Object.keys(known).length > 0) values[column.name] = known;
  }
  return values;
}
