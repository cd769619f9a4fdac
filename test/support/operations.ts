import type { Permission } from '../../src/platform/context/permission-table';
import { documentOfRun } from './document';

/** A JSON schema, as far as the tests look into it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  example?: unknown;
  examples?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** One operation of the OpenAPI document. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below /v1, with `{id}` and the like. */
  path: string;
  /** Names of the path parameters, in order. */
  slots: string[];
  /** Names of the query parameters. */
  query: string[];
  /** Names of the headers that it takes besides those of every request. */
  headers: string[];
  /** What each query parameter takes. */
  parameters: Record<string, Schema>;
  /** The body, references resolved; null when there is none. */
  body: Schema | null;
  /** Takes a file, or a form with files. */
  uploads: boolean;
  /** Needs no token. */
  open: boolean;
  /** What it takes; null when it needs no token. */
  permission: Permission | null;
}

interface RawParameter {
  $ref?: string;
  in?: string;
  name?: string;
  schema?: Schema;
}

interface RawOperation {
  parameters?: RawParameter[];
  requestBody?: { content?: Record<string, { schema?: Schema; example?: Record<string, unknown> }> };
  security?: unknown[];
  'x-permission'?: Permission;
}

let known: Promise<Operation[]> | undefined;

/** Every operation below /v1, from the document that clients see; those of the plug-ins of the run among them. */
export function allOperations(): Promise<Operation[]> {
  return (known ??= readOperations());
}

async function readOperations(): Promise<Operation[]> {
  const document = await documentOfRun();
  const schemas = (document.components?.schemas ?? {}) as unknown as Record<string, Schema>;
  const shared = (document.components?.parameters ?? {}) as unknown as Record<string, RawParameter>;
  const resolved = (parameters: readonly RawParameter[]): RawParameter[] =>
    parameters.map((parameter) => shared[parameter.$ref?.split('/').pop() ?? ''] ?? parameter);
  const resolve = (schema: Schema): Schema => {
    const one = schema.$ref ?? schema.allOf?.[0]?.$ref ?? schema.anyOf?.[0]?.$ref;
    const name = one?.split('/').pop();
    if (name === undefined) return schema;
    // What stands beside a reference, an example above all, counts more than what it leads to.
    const { $ref: _ref, allOf: _all, anyOf: _any, ...own } = schema;
    return { ...resolve(schemas[name] ?? {}), ...own };
  };
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'post', 'patch', 'put', 'delete'] as const) {
      const raw = (item as unknown as Record<string, RawOperation | undefined>)[method];
      if (!raw || path === '/ready') continue;
      const parameters = resolved([...(item.parameters ?? []), ...(raw.parameters ?? [])] as RawParameter[]);
      const named = (place: string): string[] =>
        parameters.flatMap((parameter) => (parameter.in === place && parameter.name ? [parameter.name] : []));
      const inQuery = parameters.filter((parameter) => parameter.in === 'query' && parameter.name);
      const content = raw.requestBody?.content;
      const { schema, example } = content?.['application/json'] ?? {};
      operations.push({
        method: method.toUpperCase() as Operation['method'],
        path,
        slots: named('path'),
        query: named('query'),
        headers: named('header'),
        parameters: Object.fromEntries(inQuery.map((each) => [each.name, each.schema ?? {}])),
        body: schema ? { ...withProperties(resolve(schema), resolve), ...(example ? { example } : {}) } : null,
        uploads: content !== undefined && schema === undefined,
        open: raw.security?.length === 0,
        permission: raw['x-permission'] ?? null,
      });
    }
  }
  return operations;
}

/** The body with what its members and their items refer to. */
function withProperties(schema: Schema, resolve: (schema: Schema) => Schema): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, value]): [string, Schema] => {
    const { items, ...member } = resolve(value);
    return [name, items ? { ...member, items: resolve(items) } : member];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** A value that a schema accepts. */
export function sampleOf(schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.examples?.length) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first) return sampleOf(first);
  const [type] = [schema.type].flat();
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  return type === 'object' ? {} : 'x';
}

/** The required members of a body, each as in the example of the whole or with a value that its schema accepts. */
export function requiredSample({ properties = {}, required = [], example }: Schema): Record<string, unknown> {
  const shown = (example ?? {}) as Record<string, unknown>;
  return Object.fromEntries(required.map((name) => [name, shown[name] ?? sampleOf(properties[name] ?? {})]));
}

/** A path with its parameters filled in, in order. */
export function fillPath(path: string, values: readonly (string | number)[]): string {
  let index = 0;
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(String(values[index++] ?? '')));
}
