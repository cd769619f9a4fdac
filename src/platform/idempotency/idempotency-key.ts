import { createHash } from 'node:crypto';
import { invalid } from '../errors/api-error';

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/** What of a request must be equal for a key to mean "the same request again". */
export interface Fingerprinted {
  method: string;
  /** Path with ids and query, as sent. */
  url: string;
  contentType: string;
  body: Buffer | null;
  /** The acting user; null when none does, so that a token that replaced another still repeats its requests. */
  userId: number | null;
}

/**
 * The `Idempotency-Key` of a request; null when there is none. `"abc"` (the quoted form of the IETF draft) and `abc` are
 * the same key. 422 when the header is repeated or is not 1 to 255 visible ASCII characters.
 *
 * @param rawHeaders names and values in turn, as received (Node's merged headers hide repetitions)
 */
export function readIdempotencyKey(rawHeaders: readonly string[]): string | null {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'idempotency-key',
  );
  const [value] = values;
  if (value === undefined) return null;
  if (values.length > 1) {
    invalid('Idempotency-Key', 'duplicate', 'The header Idempotency-Key is given more than once.');
  }
  const key = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (!VISIBLE.test(key)) {
    invalid('Idempotency-Key', 'format', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  return key;
}

/** SHA-256 of method, path with query, content type, the acting user if any, and the exact body bytes. */
export function fingerprintOf({ method, url, contentType, body, userId }: Fingerprinted): Buffer {
  const who = userId === null ? '' : `user ${userId}\n`;
  const hash = createHash('sha256').update(`${method}\n${url}\n${contentType}\n${who}`);
  return (body ? hash.update(body) : hash).digest();
}
