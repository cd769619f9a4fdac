import { createHmac, timingSafeEqual } from 'node:crypto';
import { isBlank } from '../../../platform/columns/not-blank';
import { withoutExcessMarks } from '../../../platform/text/marks';
import { isRecord } from '../../../platform/text/json';
import { shortened } from '../../../platform/text/normalise';
import { MAX_MESSAGE } from '../channel-values';
import type { Reception } from './adapter';

/** ms since 1970: in the year 2096. */
const LAST_MOMENT = 4e12;

/** What providers tell is taken as far as it makes sense: none of them could do anything with a refusal. */

/** The value at a place within JSON of others; undefined where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step];
    else if (isRecord(found) && typeof step === 'string' && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}

/** A text there, or a number as text, without what no database holds; null for anything else, and for what is empty. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = at(value, ...path);
  if (typeof found === 'number') return Number.isSafeInteger(found) ? String(found) : null;
  const text = typeof found === 'string' ? storable(found) : '';
  return text === '' ? null : text;
}

/** What a network's word stands for; undefined for words that the table does not have itself. */
export function wordIn<T>(words: Readonly<Record<string, T>>, word: string | null): T | undefined {
  return word !== null && Object.hasOwn(words, word) ? words[word] : undefined;
}

/** A name of two parts (`C1:1700000000.000100`); null where one is missing. */
export function pairName(one: string | null, other: string | null): string | null {
  return one === null || other === null ? null : shortText(`${one}:${other}`);
}

/** The list there; empty for anything else. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A moment that is told in seconds since 1970, ISO 8601; null where it is none. */
export function secondsAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  return momentOf(Number(textAt(value, ...path) ?? NaN) * 1_000);
}

/** A moment in milliseconds since 1970 as ISO 8601; null where nobody can have written then. */
export function momentOf(ms: number): string | null {
  return ms > 0 && ms < LAST_MOMENT ? new Date(ms).toISOString() : null;
}

/** What somebody wrote, fit to be kept: cut where it is too long, and where it has more marks than a text may have. */
export function saidText(text: string | null, otherwise = '(no text)'): string {
  const clean = withoutExcessMarks(storable(text ?? ''));
  const kept = shortened(clean, MAX_MESSAGE);
  return isBlank(kept) ? otherwise : kept;
}

/** A name or an id, fit to be kept; null where there is none, or nothing of it shows. */
export function shortText(text: string | null, max = 255): string | null {
  const kept = withoutExcessMarks(storable(text ?? ''))
    .trim()
    .slice(0, max)
    .toWellFormed();
  return isBlank(kept) ? null : kept;
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** The JSON of a body; null where it is none. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** Compared in constant time. */
export function isSame(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  // Digests have one length, whatever was given.
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

export function hmac(
  algorithm: 'sha1' | 'sha256',
  key: string | Buffer,
  ...parts: readonly (string | Buffer)[]
): Buffer {
  const mac = createHmac(algorithm, key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

export function forged(header: string): Reception {
  return { kind: 'refused', why: 'signature', message: `"${header}" is not that of this body and secret.` };
}

export function replayed(header: string): Reception {
  return { kind: 'refused', why: 'replay', message: `"${header}" is more than five minutes from now.` };
}

export const UNREADABLE: Reception = {
  kind: 'refused',
  why: 'form',
  message: 'The body is not what this channel is told.',
};
