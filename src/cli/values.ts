import { InvalidArgumentError } from 'commander';
import type { Scope } from '../platform/auth/tokens.service';

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;

/** `30d`, `12h`, `90m`, `45s`, `2w` in seconds. */
export function duration(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined || Number(amount) === 0) {
    throw new InvalidArgumentError('Write a duration such as 30d, 12h, 90m or 45s.');
  }
  return Number(amount) * SECONDS[unit as keyof typeof SECONDS];
}

/** `read,write` as scopes. */
export function scopeList(text: string): Scope[] {
  const scopes = text.split(',').map((each) => each.trim());
  for (const scope of scopes) {
    if (!['read', 'write', '*'].includes(scope)) throw new InvalidArgumentError('Scopes are read, write and *.');
  }
  return scopes as Scope[];
}

/** A whole number from 0 up. */
export function wholeNumber(text: string): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('Write a whole number from 0 up.');
  return value;
}

/** A record's id. */
export function recordId(text: string): number {
  const value = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('An id is a whole number from 1 up.');
  return value;
}
