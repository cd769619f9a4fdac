import { createHmac, timingSafeEqual } from 'node:crypto';
import { cleanAddress } from '../../../platform/mail/mail-address';
import { isRecord } from '../../../platform/text/json';
import { shortText } from '../adapters/telling';

/** Who the server of a site says that its visitor is. */
export interface SiteIdentity {
  /** What the site calls them. */
  id: string | null;
  /** Lower-case. */
  email: string | null;
  name: string | null;
}

/** What it says is good for so long at most; whoever got hold of one cannot use it for ever. */
const MAX_LIFE_SECONDS = 86_400;
/** The clock of the site may be ahead by so much. */
const LEEWAY_SECONDS = 60;
const MAX_TOKEN = 4_096;
const MAX_ID = 200;
const MAX_NAME = 120;
const PARTS = /^([\w-]+)\.([\w-]+)\.([\w-]{43})$/;

/**
 * Reads a JSON Web Token (RFC 7519) that the server of a site has signed by HS256, the only algorithm that is taken, whatever its
 * header says. Claims: `exp` (at most a day ahead), `sub` or `email`, `name`.
 *
 * @param nowMs real time, as that of the site; ms since 1970
 * @returns who it is, or why it is not taken, in one sentence
 */
export function readIdentity(token: string, secret: string, nowMs: number): SiteIdentity | string {
  const [, header = '', claims = '', signature = ''] = token.length <= MAX_TOKEN ? (PARTS.exec(token) ?? []) : [];
  const expected = createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url');
  const isGenuine =
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  if (!isGenuine) return 'The identity is not signed with the secret of the channel.';
  if (decoded(header)?.alg !== 'HS256') return 'The identity must be signed by HS256.';
  const { exp, sub, email, name } = decoded(claims) ?? {};
  const now = nowMs / 1_000;
  if (typeof exp !== 'number' || !(exp > now)) return 'The identity has ended; "exp" must be ahead.';
  if (exp > now + MAX_LIFE_SECONDS + LEEWAY_SECONDS) return 'The identity must end within a day.';
  const id = typeof sub === 'string' ? sub.trim() : null;
  if (id !== null && shortText(id, MAX_ID) !== id) return `"sub" must be text of 1 to ${MAX_ID} characters.`;
  const address = typeof email === 'string' ? cleanAddress(email) : null;
  if (id === null && address === null) return 'The identity must name a "sub" or an "email".';
  return {
    id,
    email: address,
    name: typeof name === 'string' ? shortText(name.replaceAll(/\p{Cc}+/gu, ' '), MAX_NAME) : null,
  };
}

function decoded(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
