import { withBounds } from './bounds';
import type { Schema } from './document';

/** A JSON Schema (draft-07 subset) of a provider's configuration; `writeOnly` marks a secret. */
export interface ConfigSchema {
  type: 'object';
  properties: Readonly<Record<string, Schema>>;
  required: readonly string[];
  additionalProperties: false;
}

const schemas = new WeakMap<object, ConfigSchema>();

/** What the members of a class of settings (`area/settings.ts`) say, their rules as bounds, and defaults as a new one has them. */
export function configSchemaOf(config: new () => object): ConfigSchema {
  let schema = schemas.get(config);
  if (!schema) schemas.set(config, (schema = schemaOf(config)));
  return schema;
}

/** Names of the settings that are secrets. */
export function secretsOf(config: new () => object): string[] {
  const all = Object.entries(configSchemaOf(config).properties);
  return all.filter(([, { writeOnly }]) => writeOnly === true).map(([name]) => name);
}

function schemaOf(config: new () => object): ConfigSchema {
  const fresh = new config() as Record<string, unknown>;
  const prototype = config.prototype as object;
  const listed = (Reflect.getMetadata('swagger/apiModelPropertiesArray', prototype) ?? []) as string[];
  const required: string[] = [];
  const properties = listed.map((key): [string, Schema] => {
    const name = key.slice(1);
    const told = Reflect.getMetadata('swagger/apiModelProperties', prototype, name) as Omit<Schema, 'required'> & {
      required?: boolean;
    };
    const { required: isRequired, isArray: _list, ...words } = told;
    if (isRequired) required.push(name);
    return [name, { ...words, ...(fresh[name] === undefined ? {} : { default: fresh[name] }) }];
  });
  const { properties: bounded = {} } = withBounds({ properties: Object.fromEntries(properties) }, config);
  return { type: 'object', properties: bounded, required, additionalProperties: false };
}
