import type { OpenAPIObject } from '@nestjs/swagger';
import { etag, ON_BEHALF_OF } from './openapi-components';
import { SPARSE_ANSWER } from './sparse-answer';
import { UPLOAD_EXTENSION } from './upload/upload';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];

const METHOD_PARAMETERS: Readonly<Record<string, string>> = {
  get: 'IfNoneMatch',
  post: 'IdempotencyKey',
};

/** Extension of a handler that takes `If-Match`; it becomes the parameter and the 412. */
export const IF_MATCH_EXTENSION = 'x-if-match';

/** Extension of a handler with the errors that it answers beside those of its method and path. */
export const ERRORS_EXTENSION = 'x-errors';

/** Errors that operations name one by one. */
export type NamedError = 404 | 409;

const HEADER_OF: Readonly<Record<string, string>> = {
  IdempotencyKey: 'Idempotency-Key',
  IfMatch: 'If-Match',
  IfNoneMatch: 'If-None-Match',
  OnBehalfOf: 'X-On-Behalf-Of',
};

interface Extensions {
  [IF_MATCH_EXTENSION]?: true;
  [ERRORS_EXTENSION]?: NamedError[];
}

/** Adds to an operation what follows from its method, path and security; what a controller declared stays. */
export function completeOperation(method: string, path: string, declared: Operation): Operation {
  const {
    [IF_MATCH_EXTENSION]: takesIfMatch,
    [ERRORS_EXTENSION]: more = [],
    ...operation
  }: Operation & Extensions = withUpload(declared);
  const open = operation.security?.length === 0;
  const answers = withHeaders(method, operation.responses, isList(operation) ? link : {});
  const isTagged = Object.values(answers).some(
    (answer) => answer && 'headers' in answer && 'ETag' in (answer.headers ?? {}),
  );
  if (open)
    return {
      ...operation,
      responses: { ...operation.responses, '4XX': response('Error'), default: response('Error') },
    };
  return {
    ...operation,
    parameters: [
      method !== 'get' || isTagged ? METHOD_PARAMETERS[method] : undefined,
      takesIfMatch && 'IfMatch',
      ON_BEHALF_OF,
    ].reduce(withShared, operation.parameters ?? []),
    responses: {
      ...answers,
      ...(method === 'get' && isTagged ? { 304: response('304') } : {}),
      ...errorsOf(method, path),
      ...Object.fromEntries(more.map((status) => [status, response(String(status))])),
      ...(takesIfMatch ? { 412: response('412') } : {}),
      ...declaredErrors(operation.responses),
    },
  };
}

/** What `@Upload` says becomes the body, each media type with its own schema. */
function withUpload(declared: Operation & { [UPLOAD_EXTENSION]?: object }): Operation {
  const { [UPLOAD_EXTENSION]: content, ...operation } = declared;
  return content ? ({ ...operation, requestBody: { required: true, content } } as Operation) : declared;
}

function withShared(declared: Parameter[], shared: string | undefined): Parameter[] {
  const known = declared.some(
    (parameter) => 'name' in parameter && parameter.name.toLowerCase() === HEADER_OF[shared ?? '']?.toLowerCase(),
  );
  return shared === undefined || known ? [...declared] : [...declared, { $ref: `#/components/parameters/${shared}` }];
}

const link = { Link: { $ref: '#/components/headers/Link' } };

function isList({ parameters = [] }: Operation): boolean {
  return parameters.some((parameter) =>
    'name' in parameter ? parameter.name === 'page' : /\/page$/i.test(parameter.$ref),
  );
}

type Answer = Exclude<Operation['responses'][string], { $ref: string } | undefined>;

/**
 * Whether an answer has an ETag by what it is: JSON that is read, as the envelope makes one of what it says, and a record, whatever was
 * done to it. Files, objects that have a version and what is made by others say so where they are declared.
 */
function isTold(method: string, { content }: Answer): boolean {
  const json = content?.['application/json'];
  if (!json) return false;
  return method === 'get' || JSON.stringify(json.schema ?? {}).includes(SPARSE_ANSWER);
}

function withHeaders(method: string, declared: Operation['responses'], more: object): Operation['responses'] {
  const entries = Object.entries(declared).map(([status, answer]) => [
    status,
    status.startsWith('2') && answer && !('$ref' in answer)
      ? withoutNone({ ...answer, headers: { ...(isTold(method, answer) ? etag : {}), ...more, ...answer.headers } })
      : answer,
  ]);
  return Object.fromEntries(entries) as Operation['responses'];
}

function withoutNone({ headers, ...answer }: Answer): Answer {
  return Object.keys(headers ?? {}).length === 0 ? answer : { ...answer, headers };
}

function errorsOf(method: string, path: string): Operation['responses'] {
  const named = path.includes('{');
  return {
    401: response('401'),
    ...(named ? { 404: response('404') } : {}),
    ...(method === 'post' ? { 409: response('409') } : {}),
    422: response('422'),
    429: response('429'),
    default: response('Error'),
  };
}

/** A controller's own description of an error wins, unless it says nothing but the status. */
function declaredErrors(declared: Operation['responses']): Operation['responses'] {
  const own = Object.entries(declared).filter(
    ([status, answer]) => !status.startsWith('2') && answer && ('$ref' in answer || answer.content !== undefined),
  );
  return Object.fromEntries(own);
}

function response(name: string): { $ref: string } {
  return { $ref: `#/components/responses/${name}` };
}
