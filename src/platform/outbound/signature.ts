import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

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
