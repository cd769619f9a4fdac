/** `[from, to)` in ms since 1970; null = open on that side. */
export interface Span {
  from: number | null;
  to: number | null;
}

/** A window, cut into what the counters have: whole days and months of UTC, and what is left at its ends. */
export interface StatsWindow extends Span {
  /** Whole days; null when the window holds none. */
  days: Span | null;
  /** Whole months inside `days`; null when there is none. */
  months: Span | null;
  /** Days that belong to no whole month. */
  looseDays: Span[];
  /** Parts of days. */
  edges: { from: number; to: number }[];
}

const DAY_MS = 86_400_000;

/**
 * Cuts a window. An end that lies in the future is no end: nothing has happened after the present.
 *
 * @param now ms since 1970
 */
export function statsWindow(from: number | null, end: number | null, now: number): StatsWindow {
  const to = end !== null && end > now ? null : end;
  const start = from === null ? null : ceilDay(from);
  const stop = to === null ? null : floorDay(to);
  if (from !== null && to !== null && start !== null && stop !== null && start >= stop) {
    return { from, to, days: null, months: null, looseDays: [], edges: [{ from, to }] };
  }
  const edges: StatsWindow['edges'] = [];
  if (from !== null && start !== null && from < start) edges.push({ from, to: start });
  if (to !== null && stop !== null && stop < to) edges.push({ from: stop, to });
  return { from, to, days: { from: start, to: stop }, ...cutMonths(start, stop), edges };
}

/** Whether a window has no limits at all. */
export function isUnlimited({ from, to }: Span): boolean {
  return from === null && to === null;
}

function cutMonths(start: number | null, stop: number | null): Pick<StatsWindow, 'months' | 'looseDays'> {
  const first = start === null ? null : ceilMonth(start);
  const last = stop === null ? null : floorMonth(stop);
  if (first !== null && last !== null && first >= last) return { months: null, looseDays: [{ from: start, to: stop }] };
  const looseDays: Span[] = [];
  if (start !== first) looseDays.push({ from: start, to: first });
  if (stop !== last) looseDays.push({ from: last, to: stop });
  return { months: { from: first, to: last }, looseDays };
}

const floorDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;
const ceilDay = (ms: number): number => Math.ceil(ms / DAY_MS) * DAY_MS;

function floorMonth(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function ceilMonth(ms: number): number {
  const floor = floorMonth(ms);
  const date = new Date(ms);
  return floor === ms ? ms : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
