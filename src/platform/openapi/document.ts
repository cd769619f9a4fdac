import type { OpenAPIObject } from '@nestjs/swagger';
import { METHODS } from '../http/openapi';

/** A JSON schema, as far as the passes over the document look into it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  default?: unknown;
  example?: unknown;
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

/** A parameter, or a reference to one. */
export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  description?: string;
  schema?: Schema;
  [keyword: string]: unknown;
}

/** A request body or an answer by media type. */
export type Content = Record<string, { schema?: Schema; example?: unknown }>;

/** An answer, or a reference to one. */
export interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, object>;
  content?: Content;
}

/** One operation. */
export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
  security?: object[];
  'x-permission'?: string;
}

/** The document as the passes see it; the same object as Nest's, with members that they rely on. */
export interface Document {
  paths: Record<string, Record<string, unknown>>;
  webhooks: Record<string, Record<string, Operation>>;
  tags: { name: string; description?: string }[];
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
    headers: Record<string, object>;
    [kind: string]: Record<string, object>;
  };
}

export type Method = (typeof METHODS)[number];

/** Nest's document under the type that the passes use. */
export function asDocument(document: OpenAPIObject): Document {
  return document as unknown as Document;
}

/** Every operation with its path and method, in order. */
export function operationsOf(document: Document): { path: string; method: Method; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] as Operation }] : [])),
  );
}

/** What answers consist of where operations say it themselves, without a reference. */
export function bodiesOfAnswers(document: Document): { schema?: Schema }[] {
  return operationsOf(document).flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content)),
  );
}

/** A reference to a component. */
export function ref(kind: 'schemas' | 'parameters' | 'responses' | 'headers', name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The name behind a reference to a schema; undefined when it is none. */
export function schemaName(schema: Schema | undefined): string | undefined {
  return schema?.$ref?.startsWith('#/components/schemas/') ? schema.$ref.split('/').at(-1) : undefined;
}

/** A copy of a JSON value in which `change` may replace each object, innermost first. */
export function mapped<T>(value: T, change: (member: Record<string, unknown>) => unknown): T {
  if (Array.isArray(value)) return value.map((item: unknown) => mapped(item, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, change)]));
  return change(copy) as T;
}

/** Names of the schemas that a part of the document leads to, directly or through others. */
export function reachable(from: unknown, schemas: Record<string, Schema>): Set<string> {
  const found = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(schemas[name]);
    }
  };
  follow(from);
  return found;
}
