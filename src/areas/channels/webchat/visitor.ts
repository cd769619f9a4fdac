import { timingSafeEqual } from 'node:crypto';
import { isRecord } from '../../../platform/text/json';
import type { Peer } from '../adapters/adapter';

/** Somebody who has a chat open. */
export interface Visitor {
  /** What the channel calls them, and their conversation: made up here, or by what their site says of them. */
  key: string;
  name: string | null;
  /** Lower-case; proven only of who is identified. */
  email: string | null;
  /** The server of the site has said who they are. */
  isIdentified: boolean;
}

/** A visitor and how long they are known, as their browser keeps it. */
export interface VisitorSession extends Visitor {
  /** Seconds since 1970. */
  expiresAt: number;
}

/** The keyed digest of a text for the sessions of one channel. */
export type Sign = (text: string) => Buffer;

const MAC_BYTES = 24;
const MAX_SESSION = 2_048;

/** What the browser of a visitor shows with each request: readable, and signed for this channel. */
export function sessionText({ key, name, email, isIdentified, expiresAt }: VisitorSession, sign: Sign): string {
  const told = JSON.stringify({ k: key, n: name, m: email, i: isIdentified, e: expiresAt });
  const text = Buffer.from(told).toString('base64url');
  return `${text}.${macOf(text, sign)}`;
}

/** The session that a text is; null where it was altered, is of another channel, or has ended. @param nowMs by the clock of the workspace */
export function sessionOf(text: string, sign: Sign, nowMs: number): VisitorSession | null {
  const [told = '', given = '', more] = text.length <= MAX_SESSION ? text.split('.') : [];
  if (told === '' || more !== undefined) return null;
  const expected = Buffer.from(macOf(told, sign));
  const shown = Buffer.from(given);
  if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) return null;
  const session = parsed(told);
  return session !== null && session.expiresAt * 1_000 > nowMs ? session : null;
}

/** A visitor as the other end of a conversation. */
export function peerOf({ key, name, email, isIdentified }: Visitor): Peer {
  if (isIdentified && email !== null) return { email, name };
  return { handle: key, name, claimed: isIdentified ? null : email };
}

function macOf(text: string, sign: Sign): string {
  return sign(text).subarray(0, MAC_BYTES).toString('base64url');
}

/** What was signed here. */
function parsed(told: string): VisitorSession | null {
  const value: unknown = JSON.parse(Buffer.from(told, 'base64url').toString('utf8'));
  if (!isRecord(value)) return null;
  const { k, n, m, i, e } = value;
  if (typeof k !== 'string' || typeof e !== 'number') return null;
  const [name, email] = [n, m].map((each) => (typeof each === 'string' ? each : null));
  return { key: k, name: name ?? null, email: email ?? null, isIdentified: i === true, expiresAt: e };
}
