import { DateTime, IANAZone } from 'luxon';

const MINUTE_MS = 60_000;

/** The beginnings of local days in ms: from the day in which `from` lies to the first that begins at or after `to`. */
export function localDays(zone: string, from: number, to: number): number[] {
  const days: number[] = [];
  let day = DateTime.fromMillis(from, { zone }).startOf('day');
  while (days.length === 0 || (days.at(-1) ?? 0) < to) {
    days.push(day.toMillis());
    day = day.plus({ days: 1 }).startOf('day');
  }
  return days;
}

/** Writes moments as wall-clock times of a zone, with its offset: `2026-10-20T09:00:00.000+02:00`. Ask in ascending order. */
export class LocalClock {
  private readonly zone: IANAZone;
  private offset = 0;
  private sureUntil = -Infinity;

  constructor(
    zone: string,
    private readonly days: readonly number[],
  ) {
    this.zone = IANAZone.create(zone);
  }

  text(moment: number): string {
    const offset = this.offsetAt(moment);
    const wall = new Date(moment + offset * MINUTE_MS).toISOString().slice(0, -1);
    const [sign, size] = offset < 0 ? ['-', -offset] : ['+', offset];
    const two = (value: number): string => String(value).padStart(2, '0');
    return `${wall}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  }

  /** Asking a zone is what takes time: on a day that begins and ends with the same offset it is asked once. */
  private offsetAt(moment: number): number {
    if (moment < this.sureUntil) return this.offset;
    const next = this.days.find((day) => day > moment);
    this.offset = this.zone.offset(moment);
    this.sureUntil = next !== undefined && this.zone.offset(next) === this.offset ? next : moment;
    return this.offset;
  }
}
