/** The parts of a window, each of which is counted for itself. */
export const PARTS = 60;
/** Parts that a window can touch: 60 whole ones and a bit of one more. */
export const BUCKETS = PARTS + 1;
/** The window of plans, in milliseconds: a part of it is a second. */
export const MINUTE_MS = 60_000;

/**
 * At most `limit` in any `windowMs` milliseconds. Counts sixtieths of the window, each whole until a window after its last
 * request, so it is never over, admits at worst one sixtieth less, and never asks anybody to wait for longer than the window.
 * Pure: time comes from the caller, in milliseconds, and never runs backwards (an earlier time counts as the latest seen). The
 * Redis script does the same, see `sliding-window-script.ts`.
 */
export class SlidingWindow {
  private readonly counts = new Uint32Array(BUCKETS);
  /** When the last request of each bucket came. */
  private readonly last = new Float64Array(BUCKETS);
  /** The part of all time that is counted now. */
  private head = 0;
  private sum = 0;

  constructor(private readonly windowMs = MINUTE_MS) {}

  /** Counts as many of `wanted` as fit, and answers that number. */
  admit(nowMs: number, wanted: number, limit: number): number {
    const admitted = Math.max(0, Math.min(wanted, limit - this.total(nowMs)));
    this.add(nowMs, admitted);
    return admitted;
  }

  /** Counts `n` whether they fit or not. */
  add(nowMs: number, n: number): void {
    this.advance(nowMs);
    const slot = this.head % BUCKETS;
    if (n === 0) return;
    this.counts[slot] = (this.counts[slot] ?? 0) + n;
    this.last[slot] = Math.max(this.last[slot] ?? 0, nowMs, this.headMs);
    this.sum += n;
  }

  /** What counts at this moment. */
  total(nowMs: number): number {
    this.advance(nowMs);
    return this.sum;
  }

  /** Milliseconds until one more fits; 0 = now. */
  freeInMs(nowMs: number, limit: number): number {
    this.advance(nowMs);
    let excess = this.sum - limit + 1;
    if (excess <= 0) return 0;
    for (let part = this.head - PARTS; part <= this.head; part++) {
      if (part < 0) continue;
      const slot = part % BUCKETS;
      excess -= this.counts[slot] ?? 0;
      if (excess > 0) continue;
      return Math.min((this.last[slot] ?? 0) + this.windowMs - Math.max(nowMs, this.headMs), this.windowMs);
    }
    return this.windowMs;
  }

  /** Milliseconds until the oldest of what counts no longer does; 0 when nothing counts. */
  oldestLeavesInMs(nowMs: number): number {
    const total = this.total(nowMs);
    return total === 0 ? 0 : this.freeInMs(nowMs, total);
  }

  /** When the part began that is counted now. */
  private get headMs(): number {
    return (this.head * this.windowMs) / PARTS;
  }

  private advance(nowMs: number): void {
    const part = Math.floor((nowMs * PARTS) / this.windowMs);
    const passed = Math.min(part - this.head, BUCKETS);
    for (let step = 1; step <= passed; step++) this.clear((this.head + step) % BUCKETS);
    this.head = Math.max(this.head, part);
    const oldest = (this.head + 1) % BUCKETS;
    if ((this.last[oldest] ?? 0) + this.windowMs <= nowMs) this.clear(oldest);
  }

  private clear(slot: number): void {
    this.sum -= this.counts[slot] ?? 0;
    this.counts[slot] = 0;
    this.last[slot] = 0;
  }
}
