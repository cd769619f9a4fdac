import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorType } from '../errors/api-error';

type Components = NonNullable<OpenAPIObject['components']>;

/** Parameters that belong to a kind of operation rather than to a resource. */
export const parameters: NonNullable<Components['parameters']> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A repeated key within 24 hours returns the original answer, with `Idempotent-Replayed: true`, and does nothing again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The ETag the change is based on; 412 when the record has changed since.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag the client holds; 304 when it is still current.',
    schema: { type: 'string' },
  },
  OnBehalfOf: {
    name: 'X-On-Behalf-Of',
    in: 'header',
    required: false,
    description:
      'Id or e-mail address of the user on whose behalf a token without a user acts; needs the scope `impersonate` or `*`. The role of the user then holds, within the scopes.',
    schema: { type: 'string', minLength: 1, maxLength: 320 },
  },
};

/** The header of every operation that takes a token. */
export const ON_BEHALF_OF = 'OnBehalfOf';

const integer = (description: string): object => ({ description, schema: { type: 'integer' } });
const text = (description: string, values?: readonly string[]): object => ({
  description,
  schema: { type: 'string', ...(values ? { enum: [...values] } : {}) },
});

/** Response headers of the specification. */
export const headers = {
  'Content-Range': text('Which part it is, and of how much: `bytes 1048576-2097151/5242880`.'),
  ETag: text('Version of the record; of other answers a weak tag of their content.'),
  Location: text('Where it is to be found.'),
  Link: text('The links of a list (RFC 8288): `first`, `prev`, `next`, `last`.'),
  RateLimit: text('`"default";r=<requests left>;t=<seconds until there are more>` (IETF draft).'),
  'RateLimit-Policy': text('`"default";q=<requests>;w=60` (IETF draft).'),
  'X-API-Version': text('Version of the API.', ['v1']),
  'X-Quota-Limit': integer('Monthly quota of the plan; 0 = unlimited.'),
  'X-Quota-Pct': integer('Percentage of the quota used, rounded down.'),
  'X-Quota-Status': text('Present when the quota is exceeded on a plan with overage.', ['overage']),
  'X-Quota-Used': integer('Requests of this month, this one included.'),
  'X-Quota-Warning': text('Present above 80 % of the quota.', ['approaching-limit']),
  'X-RateLimit-Limit': integer('Requests allowed per minute; 0 = unlimited.'),
  'X-RateLimit-Remaining': integer('Requests left in the current 60 seconds; absent without a limit.'),
  'X-RateLimit-Reset': integer('Whole seconds until `X-RateLimit-Remaining` grows.'),
  'X-Request-Id': text('Identifies the request in errors and logs.'),
} as NonNullable<Components['headers']>;

const EVERYWHERE = ['X-API-Version', 'X-Quota-Used', 'X-RateLimit-Limit', 'X-Request-Id'];

/** What the headers of every answer are; errors refer to them, successes leave it at these words. */
export const HEADERS_OF_ALL = `Every answer to a token also has ${EVERYWHERE.map((name) => `\`${name}\``).join(', ')}.`;

/** References to the headers of every answer to a known token; the rest of them stands with the limit that is reached. */
function commonHeaders(): Record<string, { $ref: string }> {
  return Object.fromEntries(EVERYWHERE.map((name) => [name, reference(name)]));
}

/** The header that a success is told by, beside those that every answer has. */
export const etag = { ETag: reference('ETag') };

/** Headers of an answer that is a part of a file, or sends to another place. */
export const contentRange = { 'Content-Range': reference('Content-Range') };
export const location = { Location: reference('Location') };

/** References to every header that tells of limits. */
function limitHeaders(): Record<string, { $ref: string }> {
  const names = Object.keys(headers).filter((name) => /^(X-Quota|X-RateLimit|RateLimit)/.test(name));
  return Object.fromEntries(names.map((name) => [name, reference(name)]));
}

/** The uniform error body. */
export const schemas = {
  Error: {
    type: 'object',
    description: 'With `Accept: application/problem+json` the same content comes as a problem document (RFC 9457).',
    required: ['error'],
    properties: {
      error: { $ref: '#/components/schemas/Problem' },
    },
  },
  Problem: {
    type: 'object',
    description: 'What went wrong.',
    required: ['type', 'message', 'status', 'request_id'],
    properties: {
      type: { type: 'string', enum: Object.keys(ERROR_STATUS) },
      message: { type: 'string' },
      status: { type: 'integer' },
      request_id: { type: 'string' },
      missing: { type: 'array', items: { type: 'string' }, description: 'Required fields that are absent.' },
      details: {
        type: 'array',
        items: {
          type: 'object',
          required: ['field', 'code', 'message'],
          properties: {
            field: { type: 'string' },
            code: { type: 'string' },
            message: { type: 'string' },
            allowed: { type: 'array', items: { type: ['string', 'integer'] } },
          },
          additionalProperties: true,
        },
      },
    },
  },
} as unknown as NonNullable<Components['schemas']>;

function error(description: string, known: boolean, extra: Record<string, object> = {}): object {
  const plain = { 'X-API-Version': reference('X-API-Version'), 'X-Request-Id': reference('X-Request-Id') };
  return {
    description,
    headers: { ...(known ? commonHeaders() : plain), ...extra },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function reference(header: string): { $ref: string } {
  return { $ref: `#/components/headers/${header}` };
}

const retryAfter = { 'Retry-After': integer('Whole seconds to wait; a request sent then succeeds.') };

const types = (status: number): string =>
  (Object.keys(ERROR_STATUS) as ErrorType[])
    .filter((type) => ERROR_STATUS[type] === status)
    .map((type) => `\`${type}\``)
    .join(', ');

/** Statuses that operations do not name one by one; 403: the token may not do this. */
const OTHERS = [400, 403, 405, 408, 413, 414, 415, 431, 500, 501, 503];

/** Error answers by the name used in `#/components/responses`. */
export const responses = {
  '409': error(`The request conflicts with another one, or with how things stand: ${types(409)}.`, true, retryAfter),
  Error: error(`Any other error: ${OTHERS.map((status) => `${status} ${types(status)}`).join(', ')}.`, false),
  '404': error(`There is no such record: ${types(404)}.`, true),
  '304': { description: 'The client holds the current state.', headers: etag },
  '412': error(`\`If-Match\` does not match: ${types(412)}.`, true),
  Received: { description: 'Received; anything else is tried again.' },
  '429': error(`A limit is reached: ${types(429)}.`, true, { ...retryAfter, ...limitHeaders() }),
  '401': error(`The token is missing, invalid, expired or revoked: ${types(401)}.`, false),
  '422': error(`The request is not valid: ${types(422)}.`, true),
} as NonNullable<Components['responses']>;
