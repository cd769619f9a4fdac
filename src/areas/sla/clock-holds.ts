import { iso, ms } from './clock-time';
import type { Clock, Pause } from './clock-types';

/**
 * From when on clocks stand still, or run again, by a change at `at`: no earlier than when one of them last began or ceased to. A change is
 * dated by the beginning of its transaction, so one that waited for another may be dated before it.
 */
export function turningPoint(clocks: readonly Pick<Clock, 'pauses'>[], at: string): string {
  const known = clocks.flatMap(({ pauses }) => pauses.slice(-1)).map(({ from, to }) => ms(to ?? from));
  return iso(Math.max(ms(at), ...known));
}

/** The pauses when the clock stands still from then on. */
export function held(pauses: readonly Pause[], from: string): Pause[] {
  return [...pauses, { from, to: null, kind: 'hold' }];
}

/** The pauses when the clock runs again from then on; null when it does not stand still. */
export function ended(pauses: readonly Pause[], to: string): Pause[] | null {
  const open = pauses.at(-1);
  return open?.to === null ? [...pauses.slice(0, -1), { ...open, to }] : null;
}

/** The pauses when a resolution counts on: its time as resolved is one, of no length where it is dated before the resolution itself. */
export function reopened(pauses: readonly Pause[], fulfilledAt: string, to: string): Pause[] {
  const resolved: Pause = { from: turningPoint([{ pauses }], fulfilledAt), to: null, kind: 'resolved' };
  return [...pauses, { ...resolved, to: turningPoint([{ pauses: [resolved] }], to) }];
}

/**
 * The times since `start` in which a clock stood still or would have: its own, and those of a clock that ran beside it, as both stand
 * still in the same statuses. No two of them share a time.
 *
 * @param own of the clock until it was given up
 * @param beside of the other one; its time as resolved is none
 * @param paused whether it stands still at `at`
 */
export function holdsSince(
  start: string,
  own: readonly Pause[],
  beside: readonly Pause[],
  paused: boolean,
  at: string,
): Pause[] {
  const others = beside
    .filter(({ kind, to }) => kind === 'hold' && (to === null || ms(to) > ms(start)))
    .map((pause) => ({ ...pause, from: ms(pause.from) < ms(start) ? start : pause.from }));
  const all = [...own.filter(({ from }) => !others.some((other) => other.from === from)), ...others];
  const sorted = all.sort((a, b) => ms(a.from) - ms(b.from));
  const last = sorted.at(-1);
  const isOpen = paused && last?.to === null;
  const holds = apart((isOpen ? sorted.slice(0, -1) : sorted).map((pause) => ({ ...pause, to: pause.to ?? at })));
  if (isOpen) return [...holds, { ...last, from: turningPoint([{ pauses: holds }], last.from) }];
  return paused ? held(holds, turningPoint([{ pauses: holds }], at)) : holds;
}

/** Sorted pauses, each from where the one before has ended. */
function apart(pauses: readonly Pause[]): Pause[] {
  const kept: Pause[] = [];
  for (const pause of pauses) {
    const from = turningPoint([{ pauses: kept }], pause.from);
    if (pause.to !== null && ms(from) <= ms(pause.to)) kept.push({ ...pause, from });
  }
  return kept;
}
