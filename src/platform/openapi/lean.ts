import { type Document, mapped, operationsOf, type Schema } from './document';

/**
 * Takes out what the document says twice without telling more: keywords that state what holds anyway, examples of members
 * that the example of the whole body has, and descriptions of members that the record has already.
 */
export function sayOnce(document: Document): void {
  leanParameters(document);
  document.components.schemas = mapped(document.components.schemas, aloneOf);
  dropRepeatedExamples(document);
  const { schemas } = document.components;
  document.components.schemas = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withoutKnown(name, schema, schemas)]),
  );
}

/** What consists of one other schema is a reference to it. */
function aloneOf(member: Record<string, unknown>): Record<string, unknown> {
  const { allOf, ...rest } = member;
  return Array.isArray(allOf) && allOf.length === 1 ? { ...(allOf[0] as object), ...rest } : member;
}

/** A parameter is optional unless it says otherwise. */
function leanParameters(document: Document): void {
  const inline = operationsOf(document).flatMap(({ operation }) => operation.parameters ?? []);
  for (const parameter of [...Object.values(document.components.parameters), ...inline])
    if (parameter.required === false) delete parameter.required;
}

/** An example stands with the body as a whole; its members need none of their own. */
function dropRepeatedExamples({ components: { schemas }, ...document }: Document): void {
  for (const { operation } of operationsOf({ ...document, components: { schemas } } as Document)) {
    for (const { schema, example } of Object.values(operation.requestBody?.content ?? {})) {
      const name = schema?.$ref?.split('/').at(-1) ?? '';
      const body = schemas[name];
      if (typeof example !== 'object' || example === null || !body?.properties) continue;
      const properties = Object.entries(body.properties).map(([member, property]): [string, Schema] => [
        member,
        member in example ? without(property, 'example') : property,
      ]);
      schemas[name] = { ...body, properties: Object.fromEntries(properties) };
    }
  }
}

/**
 * A body without the words that its record, or for a change the creation, has too; of words that add something only what
 * they add is left.
 */
function withoutKnown(name: string, schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const record = name.replace(/^(Create|Update)(?=[A-Z])/, '');
  if (record === name) return schema;
  const sources = [record, ...(name === `Update${record}` ? [`Create${record}`] : [])];
  const used = new Set<string>();
  const properties = Object.entries(schema.properties ?? {}).map(([member, property]): [string, Schema] => {
    for (const source of sources) {
      const said = schemas[source]?.properties?.[member]?.description;
      if (said === undefined || !property.description?.startsWith(said)) continue;
      used.add(`\`${source}\``);
      const more = property.description.slice(said.length).trim();
      const bare = without(property, 'description');
      return [member, more === '' ? bare : { ...bare, description: more }];
    }
    return [member, property];
  });
  if (used.size === 0) return schema;
  const means = `${[...used].join(' and ')} ${used.size > 1 ? 'tell' : 'tells'} what the members mean.`;
  const description = name.startsWith('Update') ? `What is left out stays as it is; ${means}` : means;
  return { ...schema, description, properties: Object.fromEntries(properties) };
}

function without(schema: Schema, keyword: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));
}
