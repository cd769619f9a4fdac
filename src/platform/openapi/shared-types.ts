import { type Document, operationsOf, ref, type Schema } from './document';
import { freeName, pascal, canonical } from './naming';

/** Members that belong to the place rather than to the type. */
const LOCAL = ['description', 'example', 'default', 'readOnly'];

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
  // Tickets first: what they share with others is named after them.
  const named = Object.entries(schemas).filter(([name]) => !name.endsWith('Field'));
  const parts = [...named.filter(([name]) => name === 'Ticket'), ...named.filter(([name]) => name !== 'Ticket')];
  for (const [name, schema] of parts) visit(schema, bare(name), name, true, count);
  const inline = [...Object.values(parameters), ...inlineParts(document)];
  for (const { schema, name = '' } of inline) if (schema) visit(schema, '', name, true, count);
  const shared = new Map<string, string>();
  for (const [text, { name, uses, type }] of found) {
    if (uses < 2 || text.length < 40) continue;
    const free = freeName(name, schemas);
    schemas[free] = type;
    shared.set(text, free);
  }
  const replace = (schema: Schema, own: string | null): Schema => exchanged(schema, own, shared);
  for (const name of Object.keys(schemas)) {
    const schema = schemas[name];
    if (schema && !name.endsWith('Field')) schemas[name] = replace(schema, name);
  }
  for (const parameter of inline) if (parameter.schema) parameter.schema = replace(parameter.schema, null);
}

/** What operations say without a reference: their parameters, and the bodies of their answers. */
function* inlineParts(document: Document): Generator<{ name?: string; schema?: Schema }> {
  for (const { operation } of operationsOf(document)) {
    yield* operation.parameters ?? [];
    for (const { content = {} } of Object.values(operation.responses)) yield* Object.values(content);
  }
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
  for (const [name, property] of Object.entries(schema.properties ?? {})) visit(property, owner, name, false, count);
  for (const keyword of ['items', 'additionalProperties'] as const) {
    const inner = schema[keyword];
    if (typeof inner === 'object') visit(inner, owner, singular(member), false, count);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const inner of schema[keyword] ?? []) visit(inner, owner, member, false, count);
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
}

/** The part of a schema that can be a type of its own: a closed list of texts, or an object with members. */
function typeOf(schema: Schema): Schema | null {
  const types = [schema.type].flat();
  const closed =
    types.includes('string') &&
    (schema.enum?.length ?? 0) > 1 &&
    schema.enum?.every((each) => each === null || typeof each === 'string');
  if (!closed && !(types.includes('object') && schema.properties)) return null;
  const type = Object.fromEntries(Object.entries(schema).filter(([name]) => !LOCAL.includes(name))) as Schema;
  type.type = closed ? 'string' : 'object';
  if (closed) type.enum = schema.enum?.filter((each) => each !== null);
  return type;
}

function exchanged(schema: Schema, own: string | null, shared: ReadonlyMap<string, string>): Schema {
  const type = typeOf(schema);
  const name = type ? shared.get(canonical(type)) : undefined;
  if (name !== undefined && name !== own && own === null) return referring(schema, name);
  const inner: Schema = { ...schema };
  const deeper = (each: Schema): Schema => exchanged(each, null, shared);
  if (schema.properties)
    inner.properties = Object.fromEntries(Object.entries(schema.properties).map(([key, each]) => [key, deeper(each)]));
  for (const keyword of ['items', 'additionalProperties'] as const) {
    const each = schema[keyword];
    if (typeof each === 'object') inner[keyword] = deeper(each);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
    if (schema[keyword]) inner[keyword] = schema[keyword].map(deeper);
  return inner;
}

function referring(schema: Schema, name: string): Schema {
  const local = Object.fromEntries(LOCAL.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])));
  const nullable = [schema.type].flat().includes('null') || schema.enum?.includes(null);
  return nullable
    ? { anyOf: [ref('schemas', name), { type: 'null' }], ...local }
    : { ...ref('schemas', name), ...local };
}
