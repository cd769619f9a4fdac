import { bodyClasses, withBounds } from './bounds';
import { answered } from './read-schemas';
import { type Document, mapped, operationsOf, reachable, type Schema } from './document';

/**
 * What request bodies consist of: every bound that the service enforces, no member beside those named, and no default. A schema that answers use as well gets a copy for them.
 */
export function settleWriteSchemas(document: Document): void {
  const { schemas } = document.components;
  const operations = operationsOf(document);
  const written = reachable(
    operations.map(({ operation }) => operation.requestBody),
    schemas,
  );
  const changed = reachable(
    operations.filter(({ method }) => method === 'patch').map(({ operation }) => operation.requestBody),
    schemas,
  );
  apart(document, written);
  const classes = bodyClasses();
  for (const name of written) {
    const schema = schemas[name];
    if (!schema) continue;
    const bodyClass = classes.get(name);
    const bounded = bodyClass ? withBounds(schema, bodyClass) : schema;
    const closed = bounded.properties && bounded.additionalProperties === undefined;
    const whole = closed ? { ...bounded, additionalProperties: false } : bounded;
    const settled = withoutDefaults(whole, !changed.has(name));
    schemas[name] = name.startsWith('Update') ? likeCreation(settled, name, schemas) : settled;
  }
}

/** A change without what the creation of the same record says of its members already. */
function likeCreation(schema: Schema, name: string, schemas: Record<string, Schema>): Schema {
  const creation = schemas[name.replace(/^Update/, 'Create')]?.properties;
  if (!creation || !schema.properties) return schema;
  const properties = Object.entries(schema.properties).map(([member, property]) => [
    member,
    member in creation ? without(property, creation[member]) : property,
  ]);
  return {
    ...schema,
    description: `What is left out stays as it is; \`${name.replace(/^Update/, 'Create')}\` tells what each member means.`,
    properties: Object.fromEntries(properties) as Record<string, Schema>,
  };
}

function without(schema: Schema, other: Schema | undefined): Schema {
  const kept = Object.entries(schema).filter(([key, value]) => key !== 'description' || value !== other?.description);
  return Object.fromEntries(kept);
}

/**
 * A schema without `default`, at any depth: clients would send what it says, and types take such a member for required.
 * Words tell it where something is created.
 */
export function withoutDefaults(schema: Schema, told: boolean): Schema {
  return mapped(schema, (member) => {
    if (!('default' in member) || isSchema(member.default)) return member;
    const { default: value, ...rest } = member;
    const words = `Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`;
    const known = typeof rest.description === 'string' ? rest.description : '';
    if (!told || value === '' || JSON.stringify(value).length < 3 || known.includes('efault')) return rest;
    return { ...rest, description: `${known} ${words}`.trimStart() };
  });
}

/** A property may be called `default`; its value is then a schema. */
function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('type' in value || '$ref' in value);
}

/** Gives answers copies of the schemas that bodies use too: `Address` stays the body's, `AddressRead` is the answers'. */
function apart(document: Document, written: ReadonlySet<string>): void {
  const { components } = document;
  const readers = [
    document.webhooks,
    components.responses,
    operationsOf(document).map(({ operation }) => operation.responses),
  ];
  const shared = [...reachable(readers, components.schemas)].filter((name) => written.has(name));
  if (shared.length === 0) return;
  const renamed = <T>(value: T): T =>
    mapped(value, (member) => {
      const name = typeof member.$ref === 'string' ? member.$ref.split('/').at(-1) : undefined;
      return name !== undefined && shared.includes(name) ? { ...member, $ref: `${String(member.$ref)}Read` } : member;
    });
  for (const name of reachable(readers, components.schemas)) {
    const schema = components.schemas[name];
    if (!schema) continue;
    if (shared.includes(name)) components.schemas[`${name}Read`] = answered(renamed(schema));
    else components.schemas[name] = renamed(schema);
  }
  document.webhooks = renamed(document.webhooks);
  for (const { operation } of operationsOf(document)) operation.responses = renamed(operation.responses);
}
