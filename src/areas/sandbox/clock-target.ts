import { DateTime, Duration } from 'luxon';
import { parseTimestamp } from '../../platform/time/iso-time';

/** `PT90M`, `P1DT2H`, `P2W`: no signs, and no more digits than ten years can have. */
const DURATION = /^P(?=\d|T\d)(\d{1,4}Y)?(\d{1,4}M)?(\d{1,4}W)?(\d{1,5}D)?(T(?=\d)(\d{1,6}H)?(\d{1,8}M)?(\d{1,9}S)?)?$/;

/** Seconds of ten years: as far as a clock goes. */
export const MOST_SECONDS = 315_619_200;

/** Whether it is a time to go forward by: an ISO 8601 duration or whole seconds, more than none. */
export function isAdvance(value: unknown): value is string | number {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 1 && value <= MOST_SECONDS;
  return typeof value === 'string' && DURATION.test(value) && Duration.fromISO(value).toMillis() > 0;
}

/** The moment that lies so far behind another, in ms since 1970; months and years are those of the calendar, in UTC. */
export function advanced(fromMs: number, by: string | number): number {
  if (typeof by === 'number') return fromMs + by * 1_000;
  return DateTime.fromMillis(fromMs, { zone: 'UTC' }).plus(Duration.fromISO(by)).toMillis();
}

/** A timestamp in ms since 1970; NaN for what is none. */
export function momentOf(text: string): number {
  return parseTimestamp(text)?.getTime() ?? NaN;
}
