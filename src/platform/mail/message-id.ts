import { createHash } from 'node:crypto';
import { compactId } from '../text/fresh-id';

/** Longest id kept as it is; longer ones are kept as their digest. */
const MAX_ID = 250;

/** A new id for a mail: `<abc-000123.0197…@host>`, named after what it is about; without a name `<mail.0197…@host>`. */
export function newMessageId(name: string | null, host: string): string {
  return `<${(name ?? 'mail').toLowerCase()}.${compactId()}@${host}>`;
}

/** The name inside an id that `newMessageId` made, a code such as `ABC-000123`, upper-case; null in any other. */
export function nameInMessageId(id: string): string | null {
  return /^<([a-z]+-\d{6,15})\.[0-9a-f]{32}@[^<>@\s]+>$/i.exec(id)?.[1]?.toUpperCase() ?? null;
}

/** An id as it is compared and stored: in angle brackets, of bounded length; null when there is none. */
export function knownMessageId(raw: string | undefined): string | null {
  const inner = raw?.replaceAll(/[<>\s\p{Cc}]/gu, '') ?? '';
  if (inner === '') return null;
  const id = `<${inner.toWellFormed()}>`;
  return id.length <= MAX_ID ? id : `<${createHash('sha256').update(id).digest('hex')}@long>`;
}
