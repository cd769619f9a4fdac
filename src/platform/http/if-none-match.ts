import { hash } from 'node:crypto';

const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * Whether `If-None-Match` names the current representation (RFC 9110, 13.1.2): `*`, or a list with a tag that is equal
 * under weak comparison. A malformed header matches nothing, so the client gets the full answer.
 */
export function matchesNone(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(TAG) ?? []).some((tag) => opaque(tag) === opaque(etag));
}

function opaque(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/** The tag of a text that has no version: the same text, the same tag. */
export function weakTag(text: string): string {
  return `W/"${digestOf(text).slice(0, 16)}"`;
}

/** What stands for a text among others that are to be told apart. */
export function digestOf(text: string | Buffer): string {
  return hash('sha1', text, 'base64url');
}
