import { isRecord } from '../../../platform/text/json';
import { ServiceTrouble } from './service-trouble';

/** An object that a service answers; anything else is none of its documented answers. */
export type Said = Readonly<Record<string, unknown>>;

/** @throws ServiceTrouble `broken` */
export function objectOf(answer: unknown): Said {
  if (isRecord(answer)) return answer;
  throw new ServiceTrouble('broken', 'It answers something else than its documentation says.');
}

/** The objects of a list under a name. @throws ServiceTrouble `broken` where there is no list */
export function listIn(answer: unknown, name: string): Said[] {
  const list = objectOf(answer)[name];
  if (!Array.isArray(list)) throw new ServiceTrouble('broken', `It answers without "${name}".`);
  return list.filter(isRecord);
}

/** The objects of an answer that is a list. @throws ServiceTrouble `broken` */
export function listOf(answer: unknown): Said[] {
  if (!Array.isArray(answer)) throw new ServiceTrouble('broken', 'It answers something else than a list.');
  return answer.filter(isRecord);
}

/** An object within; an empty one where there is none. */
export function within(said: Said, name: string): Said {
  const value = said[name];
  return isRecord(value) ? value : {};
}

/** An id as text, whether it is a number or one; null for anything else. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' && value.length <= 190 ? value : null;
}

/** A text; null for anything else, and for none. */
export function textIn(said: Said, name: string): string | null {
  const value = said[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Objects by their ids, the last of an id. */
export function byId(list: readonly Said[], name = 'id'): ReadonlyMap<string, Said> {
  return new Map(
    list.flatMap((each) => {
      const id = idOf(each[name]);
      return id === null ? [] : [[id, each] as const];
    }),
  );
}

/** A number that is a count; null for anything else. */
export function countIn(said: Said, name: string): number | null {
  const value = said[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Seconds since 1970 of a moment. */
export function epochSeconds(moment: string | null): number {
  return moment === null ? 0 : Math.floor(Date.parse(moment) / 1_000);
}
