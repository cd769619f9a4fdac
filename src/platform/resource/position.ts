import { invalid } from '../http/errors';

/** A place in a sorted list: read the rows after (or before) the row with this key and id. */
export interface Position {
  direction: 'after' | 'before';
  /** Sort it belongs to; a position is worthless under another. */
  sort: string;
  key: string | null;
  id: number;
}

/** Opaque text for the `position` parameter of page links. */
export function encodePosition(position: Position): string {
  const { direction, sort, key, id } = position;
  return Buffer.from(JSON.stringify([direction === 'after' ? 1 : 0, sort, key, id])).toString('base64url');
}

/** Reads a `position` parameter; 422 when it was altered or belongs to another sort. */
export function decodePosition(text: string, sort: string): Position {
  const refuse = (): never =>
    invalid('position', 'format', '"position" comes from a page link and must not be changed.');
  if (text.length > 1_000) refuse();
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    refuse();
  }
  if (!Array.isArray(parts) || parts.length !== 4) refuse();
  const [after, ofSort, key, id] = parts as [unknown, unknown, unknown, unknown];
  if (
    (after !== 1 && after !== 0) ||
    ofSort !== sort ||
    !(key === null || typeof key === 'string') ||
    !Number.isSafeInteger(id)
  ) {
    refuse();
  }
  if (typeof key === 'string' && (key.includes('\0') || !key.isWellFormed())) refuse();
  return { direction: after === 1 ? 'after' : 'before', sort, key: key as string | null, id: id as number };
}
