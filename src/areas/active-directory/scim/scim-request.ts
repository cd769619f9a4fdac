import type { FastifyRequest } from 'fastify';
import { ApiError, fail } from '../../../platform/errors/api-error';
import type {} from '../../../platform/http/fastify-request';
import { parseJsonBody } from '../../../platform/http/json-body';
import { isRecord } from '../../../platform/text/json';
import { refuse } from './protocol/fault';
import { saidUnder } from './protocol/schema';
import type { ListQuestion } from './scim-lists';

/** Which versions a request is about (`If-Match`); null = any. Weak tags are compared: RFC 7644 shows no others. */
export type Versions = readonly number[] | null;

/** The body of a request: a JSON object, called SCIM or plain JSON. */
export function bodyOf({ rawBody, headers }: FastifyRequest): Record<string, unknown> {
  if (rawBody === null) refuse('invalidSyntax', 'A body is required.');
  if (!/^application\/(?:scim\+)?json\b/i.test(headers['content-type'] ?? ''))
    fail('unsupported_media_type', 'Send the body as application/scim+json in UTF-8.');
  const parsed = parseJsonBody(rawBody);
  if (parsed instanceof ApiError) throw parsed;
  return isRecord(parsed.value) ? parsed.value : refuse('invalidSyntax', 'The body is a JSON object.');
}

const NAMES = ['filter', 'attributes', 'excludedAttributes', 'sortBy', 'sortOrder', 'startIndex', 'count'] as const;

/** What a list is asked: in the query, or in a body (RFC 7644, section 3.4.3), where names may be a list. */
export function questionOf(said: unknown): ListQuestion {
  const given = isRecord(said) ? said : {};
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const text = wordsOf(saidUnder(given, name));
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function wordsOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map(String).join(',');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return refuse('invalidValue', 'What is asked is said in texts.');
}

export function versionsOf({ headers }: FastifyRequest): Versions {
  const header = headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  return header.split(',').flatMap((each) => {
    const version = /^(?:W\/)?"(\d{1,9})"$/.exec(each.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}
