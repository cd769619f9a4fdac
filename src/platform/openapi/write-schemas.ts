import { bodyClasses, withBounds } from './bounds';
import { answered } from './read-schemas';
import { type Document, mapped, operationsOf, reachable, type Schema } from './document';

/**
 * What request bodies consist of: every bound that the service enforces, no member beside those named, and no default. A schema that answers use as well gets a copy for them.
 */
export function settleWriteSchemas(document: Document, bodies: readonly object[]): void {
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
  const classes = bodyClasses(bodies);
  for (const name of written) {
    const schema = schemas[name];
    if (!schema) continue;
    const bodyClass = classes.get(name);
    const bounded = bodyClass ? withBounds(schema, bodyClass) : schema;
    const closed = bounded.properties && bounded.additionalProperties === undefined;
    const whole = closed ? { ...bounded, additionalProperties: false } : bounded;
    schemas[name] = withoutDefaults(whole, !changed.has(name));
  }
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
