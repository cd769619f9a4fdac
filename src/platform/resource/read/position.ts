import { invalid } from '../../errors/api-error';
import { isDay } from '../../time/iso-time';
import type { SortSpec } from '../resource';

/** A place in a sorted list: read the rows after (or before) the row with this key and id. */
export interface Position {
  direction: 'after' | 'before';
  /** Sort it belongs to; a position is worthless under another. */
  sort: string;
  /** The sort key as PostgreSQL writes it. */
  key: string;
  /** Those of further sort keys; absent where there are none. */
  more?: readonly string[];
  id: number;
}

/** Opaque text for the `position` parameter of page links. */
export function encodePosition(position: Position): string {
  const { direction, sort, key, more, id } = position;
  const parts = [direction === 'after' ? 1 : 0, sort, key, id, ...(more ? [more] : [])];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Per key: the longest is 255 characters, each of which JSON may write as six. */
const MAX_LENGTH = 3_000;

/**
 * Reads a `position` parameter; 422 when it was altered or belongs to another sort.
 *
 * @param type SQL type of the sort key: a key of another form would be an error of PostgreSQL later
 * @param further those of further keys
 */
export function decodePosition(
  text: string,
  sort: string,
  type: SortSpec['type'],
  further: readonly SortSpec['type'][] = [],
): Position {
  const refuse = (): never =>
    invalid('position', 'format', '"position" comes from a page link and must not be changed.');
  if (text.length > MAX_LENGTH * (1 + further.length)) refuse();
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    refuse();
  }
  if (!Array.isArray(parts) || parts.length !== (further.length === 0 ? 4 : 5)) refuse();
  const [after, ofSort, key, id, more = []] = parts as [unknown, unknown, unknown, unknown, unknown?];
  if (
    (after !== 1 && after !== 0) ||
    ofSort !== sort ||
    typeof key !== 'string' ||
    !isKey[type](key) ||
    !Number.isSafeInteger(id)
  ) {
    return refuse();
  }
  if (!Array.isArray(more) || more.length !== further.length) return refuse();
  const keys = further.flatMap((each, index) => {
    const one: unknown = more[index];
    return typeof one === 'string' && isKey[each](one) ? [one] : [];
  });
  if (keys.length !== further.length) return refuse();
  const direction = after === 1 ? 'after' : 'before';
  return { direction, sort, key, id: id as number, ...(keys.length === 0 ? {} : { more: keys }) };
}

/** A moment in UTC as PostgreSQL writes it. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?\+00$/;

/** Whether a text is a value of the type, as PostgreSQL writes it in a session that runs in UTC. */
const isKey: Readonly<Record<SortSpec['type'], (key: string) => boolean>> = {
  text: (key) => !key.includes('\0') && key.isWellFormed(),
  bigint: (key) => isWhole(key, 64),
  integer: (key) => isWhole(key, 32),
  numeric: (key) => /^-?(\d{1,20}(\.\d{1,20})?|Infinity)$/.test(key),
  timestamptz: (key) => isInfinite(key) || (TIMESTAMP.test(key) && isDay(key.slice(0, 10))),
  date: (key) => isInfinite(key) || isDay(key),
};

function isWhole(key: string, bits: number): boolean {
  return /^-?\d{1,19}$/.test(key) && BigInt.asIntN(bits, BigInt(key)) === BigInt(key);
}

function isInfinite(key: string): boolean {
  return key === 'infinity' || key === '-infinity';
}
