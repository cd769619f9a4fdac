const declared: Record<string, object> = {};
const worked: (() => Readonly<Record<string, object>>)[] = [];

/**
 * Adds schemas that are no class to the components of the OpenAPI document, e.g. the branches of a `oneOf`. One that
 * nothing refers to does not appear.
 */
export function declareSchemas(schemas: Readonly<Record<string, object>>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    if (Object.hasOwn(declared, name)) throw new Error(`The schema "${name}" is declared twice.`);
    declared[name] = schema;
  }
}

/** The same for schemas that depend on what other files declare: worked out when the document is made. */
export function declareSchemasLater(schemas: () => Readonly<Record<string, object>>): void {
  worked.push(schemas);
}

/** What was declared so far, by name. */
export function declaredSchemas(): Readonly<Record<string, object>> {
  return Object.assign({}, declared, ...worked.map((schemas) => schemas())) as Record<string, object>;
}
