import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** Signatures of one request that are looked at. */
const MAX_SIGNATURES = 10;

/** What is signed, and with what. */
export interface Signable {
  /** `webhook-id`: the same for every copy of a message. */
  id: string;
  /** Unix time of this attempt, in seconds. */
  timestampSeconds: number;
  /** The bytes that are sent; text means its UTF-8. */
  body: string | Buffer;
  /** As it was shown, `whsec_…` included. */
  secret: string;
  /** The one before it, while a rotation overlaps. */
  previousSecret?: string | null;
}

/** A new signing secret: `whsec_` and base64 of 32 random bytes. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The headers that let a receiver check a message.
 *
 * `X-Service-Signature` is the hex HMAC-SHA256 of the body, keyed with the UTF-8 bytes of the secret as shown;
 * `X-Service-Signature-Previous` the same with the previous secret. `webhook-id`, `webhook-timestamp` and
 * `webhook-signature` follow Standard Webhooks: base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded part.
 *
 * @throws RangeError when a secret is empty: anyone could sign with it
 */
export function signatureHeaders(message: Signable): Record<string, string> {
  const { id, timestampSeconds, body, secret, previousSecret = null } = message;
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  const standard = secrets.map((each) => {
    const mac = createHmac('sha256', standardKey(each)).update(`${id}.${timestampSeconds}.`).update(body);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'X-Service-Signature': plainSignature(body, secret),
    ...(previousSecret === null ? {} : { 'X-Service-Signature-Previous': plainSignature(body, previousSecret) }),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standard.join(' '),
  };
}

/** A request that somebody else has signed, as it came. */
export interface Signed {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** ms since 1970, of the world outside. */
  nowMs: number;
  /** How far from now its moment may be, ms. */
  toleranceMs: number;
}

/**
 * Whether a request carries the signature of Standard Webhooks: one of `webhook-signature` is that of `webhook-id`,
 * `webhook-timestamp` and the body. Compared in constant time.
 *
 * @returns `replay` for one that is genuine and too old, or of the future
 */
export function isSignedBy(
  secret: string,
  { headers, body, nowMs, toleranceMs }: Signed,
): 'genuine' | 'forged' | 'replay' {
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name]);
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string') return 'forged';
  if (!/^\d{1,12}$/.test(timestamp)) return 'forged';
  const expected = createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(body).digest();
  const isGenuine = given
    .split(' ', MAX_SIGNATURES)
    .map((each) => Buffer.from(each.startsWith('v1,') ? each.slice(3) : '', 'base64'))
    .some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  if (!isGenuine) return 'forged';
  return Math.abs(nowMs - Number(timestamp) * 1_000) > toleranceMs ? 'replay' : 'genuine';
}

function plainSignature(body: string | Buffer, secret: string): string {
  return createHmac('sha256', notEmpty(Buffer.from(secret, 'utf8')))
    .update(body)
    .digest('hex');
}

/** A secret without the prefix is nobody's base64: its own bytes are the key, as Standard Webhooks libraries allow ("raw"). */
function standardKey(secret: string): Buffer {
  return notEmpty(
    secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret, 'utf8'),
  );
}

function notEmpty(key: Buffer): Buffer {
  if (key.length === 0) throw new RangeError('A signing secret must not be empty.');
  return key;
}
