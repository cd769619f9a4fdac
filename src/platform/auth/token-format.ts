import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type TokenType = 'developer' | 'tenant';

/** Two prefixes, so that a person and a secret scanner see at once what they found. */
export const TOKEN_PREFIX: Readonly<Record<TokenType, string>> = { developer: 'hdd_', tenant: 'hdt_' };

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const TOKEN = /^hd[dt]_[0-9A-Za-z]{38}$/;
/** Bytes from here on would favour the first letters of the alphabet. */
const UNBIASED = 256 - (256 % ALPHABET.length);

/** A new token: prefix, 32 random base62 characters (190 bits), 6 characters of CRC-32. */
export function makeToken(type: TokenType): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    for (const byte of randomBytes(SECRET_LENGTH)) {
      if (byte < UNBIASED && secret.length < SECRET_LENGTH) secret += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  const head = TOKEN_PREFIX[type] + secret;
  return head + checksum(head);
}

/** Whether `text` can be a token at all: refuses typing errors and floods of garbage without asking the database. */
export function isTokenShaped(text: string): boolean {
  if (!TOKEN.test(text)) return false;
  const head = text.slice(0, -CHECKSUM_LENGTH);
  return checksum(head) === text.slice(-CHECKSUM_LENGTH);
}

/** What the database keeps of a token. A fast hash is enough: the secret has 190 bits of entropy. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** CRC-32 of `head` in base62, padded to 6 characters (62^6 > 2^32). */
export function checksum(head: string): string {
  let rest = crc32(head);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
