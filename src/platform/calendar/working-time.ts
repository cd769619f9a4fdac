import { LRUCache } from 'lru-cache';
import { CivilDays, DAY_MS } from './civil-days';
import type { BusinessHours, Schedule } from './schedule';

/** The passing of working time under one schedule. Moments are ms since 1970; seconds may have a fraction of a ms's resolution. */
export interface WorkingTime {
  /** When `seconds` of working time have passed since `start`; null when that takes more than 10 years. 0 = now, or the next opening. */
  add(start: number, seconds: number): number | null;
  /** Seconds of working time in `[from, to)`; 0 when `from >= to`. */
  between(from: number, to: number): number;
  isOpen(moment: number): boolean;
  /** The working time within `[from, to)` as instants `[start, end)`, in order, none touching the next. */
  intervals(from: number, to: number): [start: number, end: number][];
}

/** 365.25 days each: longer waits are mistakes of the schedule. */
const TEN_YEARS_MS = 10 * 365.25 * DAY_MS;
/** Days that are worked out and remembered together. */
const BLOCK_DAYS = 32;
/** Of one schedule: a little more than ten years. */
const MAX_BLOCKS = 128;
const MAX_SCHEDULES = 500;

const byText = new LRUCache<string, WorkingTime>({ max: MAX_SCHEDULES });
/** Spares writing out the same object again and again; schedules are never changed in place. */
const byObject = new WeakMap<Schedule, WorkingTime>();

/** Working time under a valid schedule (see `scheduleProblems`); remembered, so ask again rather than keep it. */
export function workingTime(schedule: Schedule): WorkingTime {
  if (schedule.mode === '24x7') return aroundTheClock;
  const known = byObject.get(schedule);
  if (known) return known;
  const text = JSON.stringify(schedule);
  const time = byText.get(text) ?? new BusinessTime(schedule);
  byText.set(text, time);
  byObject.set(schedule, time);
  return time;
}

const aroundTheClock: WorkingTime = {
  add: (start, seconds) => {
    const ms = Math.max(0, Math.round(seconds * 1_000));
    return ms > TEN_YEARS_MS ? null : start + ms;
  },
  between: (from, to) => Math.max(0, to - from) / 1_000,
  isOpen: () => true,
  intervals: (from, to) => (from < to ? [[from, to]] : []),
};

interface Block {
  starts: number[];
  ends: number[];
  totalMs: number;
}

class BusinessTime implements WorkingTime {
  private readonly days: CivilDays;
  private readonly blocks = new LRUCache<number, Block>({ max: MAX_BLOCKS });

  constructor(schedule: BusinessHours) {
    this.days = new CivilDays(schedule);
  }

  add(start: number, seconds: number): number | null {
    let left = Math.max(0, Math.round(seconds * 1_000));
    const limit = start + TEN_YEARS_MS;
    let { number, index } = this.locate(start);
    for (; ; number++, index = 0) {
      const block = this.block(number);
      // A whole block that is used up needs no walk through its days.
      if (index === 0 && left > block.totalMs && (block.starts[0] ?? Infinity) >= start) {
        left -= block.totalMs;
      } else {
        for (; index < block.starts.length; index++) {
          const from = Math.max(start, block.starts[index] ?? 0);
          const length = (block.ends[index] ?? 0) - from;
          if (left <= length && (left > 0 || length > 0)) return from + left > limit ? null : from + left;
          left -= length;
        }
      }
      if (blockStart(number) > limit) return null;
    }
  }

  between(from: number, to: number): number {
    if (from >= to) return 0;
    let total = 0;
    let { number, index } = this.locate(from);
    for (; firstInstant(number) < to; number++, index = 0) {
      const block = this.block(number);
      const last = block.ends.at(-1);
      if (last === undefined) continue;
      if (index === 0 && last <= to && (block.starts[0] ?? 0) >= from) {
        total += block.totalMs;
        continue;
      }
      for (; index < block.starts.length && (block.starts[index] ?? 0) < to; index++) {
        total += Math.min(to, block.ends[index] ?? 0) - Math.max(from, block.starts[index] ?? 0);
      }
    }
    return total / 1_000;
  }

  isOpen(moment: number): boolean {
    const { number, index } = this.locate(moment);
    const start = this.block(number).starts[index] ?? this.block(number + 1).starts[0] ?? Infinity;
    return start <= moment;
  }

  intervals(from: number, to: number): [number, number][] {
    const found: [number, number][] = [];
    let { number, index } = this.locate(from);
    for (; from < to && firstInstant(number) < to; number++, index = 0) {
      const { starts, ends } = this.block(number);
      for (; index < starts.length && (starts[index] ?? 0) < to; index++) {
        const start = Math.max(from, starts[index] ?? 0);
        const end = Math.min(to, ends[index] ?? 0);
        const previous = found.at(-1);
        if (previous && previous[1] === start) previous[1] = end;
        else found.push([start, end]);
      }
    }
    return found;
  }

  /** The block and the place in it of the first interval that ends after `moment`; the place may be past the block's end. */
  private locate(moment: number): { number: number; index: number } {
    // Local dates begin up to a day before or after the UTC date of the same name.
    const number = Math.floor((Math.floor(moment / DAY_MS) - 2) / BLOCK_DAYS);
    const first = after(this.block(number).ends, moment);
    if (first < this.block(number).ends.length) return { number, index: first };
    return { number: number + 1, index: after(this.block(number + 1).ends, moment) };
  }

  private block(number: number): Block {
    const known = this.blocks.get(number);
    if (known) return known;
    const { starts, ends } = this.days.intervals(number * BLOCK_DAYS, BLOCK_DAYS);
    const block = { starts, ends, totalMs: ends.reduce((sum, end, index) => sum + end - (starts[index] ?? 0), 0) };
    this.blocks.set(number, block);
    return block;
  }
}

const blockStart = (number: number): number => number * BLOCK_DAYS * DAY_MS;

/** No interval of the block, nor of a later one, begins earlier. */
const firstInstant = (number: number): number => blockStart(number) - 2 * DAY_MS;

/** Place of the first number greater than `bound`, by halving. */
function after(ascending: readonly number[], bound: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}
