import { randomUUID } from 'node:crypto';

const ACCEPTED = /^[\w-]{1,64}$/;

/**
 * The id of a request: the client's own `X-Request-Id` when it is 1 to 64 word characters or hyphens (nothing else may
 * reach headers and logs), else `req_` and a fresh UUIDv7, so that ids sort by time.
 */
export function requestIdOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : `req_${uuidV7(Date.now())}`;
}

/** A UUID version 7 (RFC 9562): 48 bits of Unix milliseconds, the rest random. */
export function uuidV7(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
