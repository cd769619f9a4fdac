/** `[from, to)` in ms since 1970; null = open on that side. */
export interface Span {
  from: number | null;
  to: number | null;
}

/** Days that belong to no whole month of a window, or that its months have too many. */
export interface LooseDays extends Span {
  /** -1 = to be taken away. */
  sign: 1 | -1;
}

/** A window, cut into what the counters have: whole days and months of UTC, and what is left at its ends. */
export interface StatsWindow extends Span {
  /** Whole days; null when the window holds none. */
  days: Span | null;
  /** Whole months, from the beginning and to the end that are nearest to those of `days`; null when there is none. */
  months: Span | null;
  /** What makes the days of them. */
  looseDays: LooseDays[];
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
  const first = start === null ? null : nearestMonth(start);
  const last = stop === null ? null : nearestMonth(stop);
  if (first !== null && last !== null && first >= last)
    return { months: null, looseDays: [{ from: start, to: stop, sign: 1 }] };
  const looseDays: LooseDays[] = [];
  if (start !== null && first !== null && start !== first)
    looseDays.push(start < first ? { from: start, to: first, sign: 1 } : { from: first, to: start, sign: -1 });
  if (stop !== null && last !== null && stop !== last)
    looseDays.push(last < stop ? { from: last, to: stop, sign: 1 } : { from: stop, to: last, sign: -1 });
  return { months: { from: first, to: last }, looseDays };
}

/** The beginning of a month, the one that fewer days lie between. */
function nearestMonth(day: number): number {
  const [before, behind] = [floorMonth(day), ceilMonth(day)];
  return day - before <= behind - day ? before : behind;
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
