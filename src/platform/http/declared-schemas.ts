const declared: Record<string, object> = {};

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

/** What was declared so far, by name. */
export function declaredSchemas(): Readonly<Record<string, object>> {
  return declared;
}
