import { type Interval, intersection, placeOf } from './intervals';

/** What is known about one host within the time looked at; everything in ms. */
export interface HostTime {
  id: number;
  /** Hours in which the host can be met, in order and disjoint; from the beginning of the first local day on. */
  open: readonly Interval[];
  /** Time taken by meetings with their buffers, and absences; in order and disjoint. */
  busy: readonly Interval[];
  /** Beginnings of the local days, as far as looked at, in order. */
  days: readonly number[];
  /** Meetings that count towards the day's most, by place in `days`. */
  taken: readonly number[];
}

/** What a slot must be like; durations in ms. */
export interface SlotRules {
  duration: number;
  /** From one possible start to the next. */
  step: number;
  before: number;
  after: number;
  maxPerDay: number | null;
  /** All hosts at once, instead of any of them. */
  together: boolean;
}

/** A possible start, and who is free then, in the order of the hosts. */
export interface Slot {
  start: number;
  hosts: readonly number[];
}

/**
 * The slots that start in `[from, to)`, in order. A slot lies within the open hours of its host; its start is a whole
 * number of steps after the beginning of open hours (or of the local day, where they reach over midnight), so that it
 * does not depend on what else is booked nor on the bounds asked for; with its buffers it touches nothing busy. Each list
 * is swept once.
 */
export function findSlots(hosts: readonly HostTime[], rules: SlotRules, from: number, to: number): Slot[] {
  const [first] = hosts;
  if (!first) return [];
  if (rules.together) {
    const open = hosts.map((host) => host.open).reduce(intersection);
    const checks = hosts.map((host) => freeCheck(host, rules));
    const ids = hosts.map(({ id }) => id);
    return starts(open, first.days, rules, from, to)
      .filter((start) => checks.every((isFree) => isFree(start)))
      .map((start) => ({ start, hosts: ids }));
  }
  const found = new Map<number, number[]>();
  for (const host of hosts) {
    const isFree = freeCheck(host, rules);
    for (const start of starts(host.open, host.days, rules, from, to)) {
      if (!isFree(start)) continue;
      const free = found.get(start);
      if (free) free.push(host.id);
      else found.set(start, [host.id]);
    }
  }
  return [...found].map(([start, free]) => ({ start, hosts: free })).sort((left, right) => left.start - right.start);
}

/** Whether the host is free; to be asked in ascending order. */
function freeCheck({ busy, days, taken }: HostTime, rules: SlotRules): (start: number) => boolean {
  let place = 0;
  return (start) => {
    const [from, until] = [start - rules.before, start + rules.duration + rules.after];
    while (place < busy.length && (busy[place]?.[1] ?? 0) <= from) place++;
    if (place < busy.length && (busy[place]?.[0] ?? 0) < until) return false;
    return rules.maxPerDay === null || (taken[placeOf(days, start)] ?? 0) < rules.maxPerDay;
  };
}

function starts(
  open: readonly Interval[],
  days: readonly number[],
  { duration, step }: SlotRules,
  from: number,
  to: number,
): number[] {
  const found: number[] = [];
  for (const [opens, closes] of open) {
    if (closes <= from) continue;
    if (opens >= to) break;
    let begin = opens;
    while (begin < closes && begin < to) {
      const next = days[placeOf(days, begin) + 1] ?? Infinity;
      const end = Math.min(closes, next, to);
      const skipped = Math.max(0, Math.ceil((from - begin) / step));
      for (let start = begin + skipped * step; start < end; start += step) {
        if (start + duration <= closes) found.push(start);
      }
      begin = Math.min(closes, next);
    }
  }
  return found;
}
