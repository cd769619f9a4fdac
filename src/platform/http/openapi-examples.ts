import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Exclude<Schemas[string], { $ref: string }>;

/**
 * Sees to it that an operation succeeds as Swagger UI fills it in. It would send the example of every query parameter, so
 * those move into the descriptions; and of every member of a body it would make up a value, ids of nothing included, so
 * each body gets an example of the members that are required or have one of their own.
 */
export function withUsableExamples(operation: Operation, schemas: Schemas, method: string): Operation {
  const { requestBody } = operation;
  const parameters = (operation.parameters ?? []).map(described);
  if (!requestBody || '$ref' in requestBody) return { ...operation, parameters };
  const content = Object.entries(requestBody.content).map(([type, media]) => {
    const { schema } = media;
    const named = schema && '$ref' in schema ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
    return [
      type,
      named && !('$ref' in named)
        ? { ...media, example: method === 'patch' ? changed(exampleOf(named)) : exampleOf(named) }
        : media,
    ] as const;
  });
  return { ...operation, parameters, requestBody: { ...requestBody, content: Object.fromEntries(content) } };
}

function described<P extends NonNullable<Operation['parameters']>[number]>(parameter: P): P {
  if ('$ref' in parameter || parameter.in !== 'query') return parameter;
  const { schema, description = '' } = parameter;
  if (!schema || '$ref' in schema || schema.example === undefined) return parameter;
  const plain = { ...schema };
  delete plain.example;
  const example = `Example: \`${String(schema.example)}\`.`;
  return { ...parameter, schema: plain, description: `${description} ${example}`.trimStart() };
}

function exampleOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const example: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if ('$ref' in property) continue;
    if (property.example !== undefined) example[name] = property.example as unknown;
    else if (required.includes(name)) example[name] = [property.type].flat().includes('integer') ? 1 : `New ${name}`;
  }
  return example;
}

/** A change whose name and address are not those that the example of the creation took: both must be unique. */
function changed({ name, email, ...example }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...(typeof name === 'string' ? { name: `${name} (renamed)` } : {}),
    ...(typeof email === 'string' ? { email: `new.${email}` } : {}),
    ...example,
  };
}
