/** One-second buckets a 60-second window can touch: 60 whole ones and part of one more. */
export const BUCKETS = 61;
/** A bucket counts until this long after its last request. */
export const WINDOW_MS = 60_000;

/**
 * At most `limit` in any 60 seconds. Counts one-second buckets, each whole until 60 seconds after its last request, so it is
 * never over, admits at worst one sixtieth less, and never asks anybody to wait for more than 60 seconds. Pure: time comes
 * from the caller, in milliseconds, and never runs backwards (an earlier time counts as the latest seen). The Redis script
 * does the same, see `sliding-window-script.ts`.
 */
export class SlidingWindow {
  private readonly counts = new Uint32Array(BUCKETS);
  /** When the last request of each bucket came. */
  private readonly last = new Float64Array(BUCKETS);
  private head = 0;
  private sum = 0;

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
    this.last[slot] = Math.max(this.last[slot] ?? 0, nowMs, this.head * 1000);
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
    for (let second = this.head - BUCKETS + 1; second <= this.head; second++) {
      if (second < 0) continue;
      const slot = second % BUCKETS;
      excess -= this.counts[slot] ?? 0;
      if (excess > 0) continue;
      return Math.min((this.last[slot] ?? 0) + WINDOW_MS - Math.max(nowMs, this.head * 1000), WINDOW_MS);
    }
    return WINDOW_MS;
  }

  /** Milliseconds until the oldest of what counts no longer does; 0 when nothing counts. */
  oldestLeavesInMs(nowMs: number): number {
    const total = this.total(nowMs);
    return total === 0 ? 0 : this.freeInMs(nowMs, total);
  }

  private advance(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    const passed = Math.min(second - this.head, BUCKETS);
    for (let step = 1; step <= passed; step++) this.clear((this.head + step) % BUCKETS);
    this.head = Math.max(this.head, second);
    const oldest = (this.head + 1) % BUCKETS;
    if ((this.last[oldest] ?? 0) + WINDOW_MS <= nowMs) this.clear(oldest);
  }

  private clear(slot: number): void {
    this.sum -= this.counts[slot] ?? 0;
    this.counts[slot] = 0;
    this.last[slot] = 0;
  }
}
