import { bodiesOfAnswers, type Document, operationsOf, ref, type Schema } from './document';
import { canonical } from '../text/json';
import { freeName, pascal } from './naming';
import { allResources } from '../resource/resource';
import { eachInside, localOf, withInside, withoutLocal } from './walk';

interface Found {
  name: string;
  uses: number;
  type: Schema;
}

/**
 * Closed lists and objects that occur in several places become schemas of their own, named after the record and member
 * where they are first met: `TicketPriority`, `Schedule`. Generated clients get one type for each.
 */
export function shareTypes(document: Document): void {
  const { schemas, parameters } = document.components;
  const found = new Map<string, Found>();
  const count = (schema: Schema, wish: string): void => {
    const type = typeOf(schema);
    if (!type) return;
    const known = found.get(canonical(type));
    if (known) known.uses += 1;
    else found.set(canonical(type), { name: wish, uses: 1, type });
  };
  // The first record first: what it shares with others is named after it.
  const first = allResources()[0]?.entity.name;
  const named = Object.entries(schemas).filter(([name]) => !name.endsWith('Field'));
  const parts = [...named.filter(([name]) => name === first), ...named.filter(([name]) => name !== first)];
  for (const [name, schema] of parts) visit(schema, bare(name), name, true, count);
  const inline: { name?: string; schema?: Schema }[] = [
    ...Object.values(parameters),
    ...operationsOf(document).flatMap(({ operation }) => operation.parameters ?? []),
    ...bodiesOfAnswers(document),
  ];
  for (const { schema, name = '' } of inline) if (schema) visit(schema, '', name, true, count);
  const shared = new Map<string, string>();
  for (const [text, { name, uses, type }] of found) {
    if (uses < 2 || text.length < 40) continue;
    const free = freeName(name, schemas);
    schemas[free] = type;
    shared.set(text, free);
  }
  for (const [name, schema] of Object.entries(schemas))
    if (!name.endsWith('Field')) schemas[name] = exchanged(schema, shared, true);
  for (const part of inline) if (part.schema) part.schema = exchanged(part.schema, shared, false);
}

/** `Ticket` of `CreateTicket`: types are named after the record. */
function bare(name: string): string {
  return name.replace(/^(Create|Update|New)(?=[A-Z])/, '').replace(/Read$/, '');
}

/** Calls `count` for every schema below (and but for the top, itself), the outer ones first. */
function visit(
  schema: Schema,
  owner: string,
  member: string,
  top: boolean,
  count: (schema: Schema, wish: string) => void,
): void {
  if (!top) count(schema, schema.enum ? `${owner}${pascal(member)}` : pascal(member));
  eachInside(schema, (inner, place, name) => {
    if (place === 'member') visit(inner, owner, name, false, count);
    else visit(inner, owner, place === 'item' ? singular(member) : member, false, count);
  });
}

function singular(name: string): string {
  return /(?:[su]s|x)es$/.test(name) ? name.slice(0, -2) : name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

/** The part of a schema that can be a type of its own: a closed list of texts, or an object with members. */
function typeOf(schema: Schema): Schema | null {
  const types = [schema.type].flat();
  const closed =
    types.includes('string') &&
    (schema.enum?.length ?? 0) > 1 &&
    schema.enum?.every((each) => each === null || typeof each === 'string');
  if (!closed && !(types.includes('object') && schema.properties)) return null;
  const type = withoutLocal(schema);
  type.type = closed ? 'string' : 'object';
  if (closed) type.enum = schema.enum?.filter((each) => each !== null);
  return type;
}

function exchanged(schema: Schema, shared: ReadonlyMap<string, string>, top: boolean): Schema {
  const type = top ? null : typeOf(schema);
  const name = type ? shared.get(canonical(type)) : undefined;
  return name === undefined ? withInside(schema, (inner) => exchanged(inner, shared, false)) : referring(schema, name);
}

function referring(schema: Schema, name: string): Schema {
  const nullable = [schema.type].flat().includes('null') || schema.enum?.includes(null);
  return nullable
    ? { anyOf: [ref('schemas', name), { type: 'null' }], ...localOf(schema) }
    : { ...ref('schemas', name), ...localOf(schema) };
}
