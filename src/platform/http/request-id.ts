import { freshId } from '../text/fresh-id';

const ACCEPTED = /^[\w-]{1,64}$/;

/**
 * The id of a request: the client's own `X-Request-Id` when it is 1 to 64 word characters or hyphens (nothing else may
 * reach headers and logs), else `req_` and a fresh UUIDv7, so that ids sort by time.
 */
export function requestIdOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : `req_${freshId()}`;
}
