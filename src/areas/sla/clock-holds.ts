import { ms } from './clock-time';
import type { Pause } from './clock-types';

/**
 * The times since `start` in which a clock stood still or would have: its own, and those of a clock that ran beside it, as both stand
 * still in the same statuses.
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
  const holds = all.sort((a, b) => ms(a.from) - ms(b.from)).map((pause) => ({ ...pause, to: pause.to ?? at }));
  const last = all.at(-1);
  if (!paused) return holds;
  if (last?.to === null) return [...holds.slice(0, -1), last];
  return [...holds, { from: at, to: null, kind: 'hold' }];
}
