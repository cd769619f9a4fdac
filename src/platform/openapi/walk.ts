import type { Schema } from './document';

/** How one schema is inside of another: as a named member, as what a list or map consists of, or as a branch. */
export type Place = 'member' | 'item' | 'branch';

/** Members that belong to the place of a schema rather than to its type. */
export const LOCAL = ['description', 'example', 'default', 'readOnly'] as const;

const ITEMS = ['items', 'additionalProperties'] as const;
const BRANCHES = ['allOf', 'anyOf', 'oneOf'] as const;

/** Calls `visit` for every schema directly inside of another; `member` is the name of a member, else empty. */
export function eachInside(schema: Schema, visit: (inner: Schema, place: Place, member: string) => void): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) visit(property, 'member', name);
  for (const keyword of ITEMS) {
    const inner = schema[keyword];
    if (typeof inner === 'object') visit(inner, 'item', '');
  }
  for (const keyword of BRANCHES) for (const inner of schema[keyword] ?? []) visit(inner, 'branch', '');
}

/** A copy of a schema with every schema directly inside of it exchanged. */
export function withInside(schema: Schema, change: (inner: Schema) => Schema): Schema {
  const copy: Schema = { ...schema };
  if (schema.properties)
    copy.properties = Object.fromEntries(Object.entries(schema.properties).map(([key, each]) => [key, change(each)]));
  for (const keyword of ITEMS) {
    const inner = schema[keyword];
    if (typeof inner === 'object') copy[keyword] = change(inner);
  }
  for (const keyword of BRANCHES) if (schema[keyword]) copy[keyword] = schema[keyword].map(change);
  return copy;
}

/** What a schema says of its place alone. */
export function localOf(schema: Schema): Schema {
  return Object.fromEntries(LOCAL.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]] as const])));
}

/** A schema without what belongs to its place. */
export function withoutLocal(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !(LOCAL as readonly string[]).includes(key)));
}
