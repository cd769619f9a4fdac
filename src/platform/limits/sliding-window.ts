/** One-second buckets a 60-second window can touch: 60 whole ones and parts of one more, counted whole. */
export const BUCKETS = 61;

/**
 * At most `limit` in any 60 seconds. Counts whole one-second buckets, so it is never over and admits at worst one
 * sixtieth less. Pure: time comes from the caller, in milliseconds, and never runs backwards (an earlier time counts
 * as the latest seen). The Redis script does the same, see `sliding-window-script.ts`.
 */
export class SlidingWindow {
  private readonly counts = new Uint32Array(BUCKETS);
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
    this.counts[slot] = (this.counts[slot] ?? 0) + n;
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
      excess -= this.counts[second % BUCKETS] ?? 0;
      if (excess <= 0) return (second + BUCKETS) * 1000 - Math.max(nowMs, this.head * 1000);
    }
    return BUCKETS * 1000;
  }

  private advance(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second <= this.head) return;
    const passed = Math.min(second - this.head, BUCKETS);
    for (let step = 1; step <= passed; step++) {
      const slot = (this.head + step) % BUCKETS;
      this.sum -= this.counts[slot] ?? 0;
      this.counts[slot] = 0;
    }
    this.head = second;
  }
}
