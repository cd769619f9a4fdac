/** Before a process is replaced; the more often it ended in a row, the longer. */
const PAUSES_MS = [0, 250, 1_000, 2_000, 5_000, 10_000];
/** One that answered for so long did not end because of how it was started. */
const STEADY_MS = 60_000;

/** When a process that ended is replaced, and when no more. Pure: times are passed in. */
export class Restarts {
  /** In a row, without being steady in between. */
  private ends = 0;
  /** In a row, before it answered. */
  private failedStarts = 0;

  /** @param pausesMs before each replacement; so many starts may fail in a row */
  constructor(private readonly pausesMs: readonly number[] = PAUSES_MS) {}

  /**
   * It has ended.
   *
   * @param answeredMs how long it answered requests; null = it never did
   * @returns milliseconds until it is replaced; null = there is no use in it
   */
  pauseAfter(answeredMs: number | null): number | null {
    const isSteady = answeredMs !== null && answeredMs >= STEADY_MS;
    this.ends = isSteady ? 1 : this.ends + 1;
    this.failedStarts = answeredMs === null ? this.failedStarts + 1 : 0;
    const { length } = this.pausesMs;
    return this.failedStarts >= length ? null : (this.pausesMs[Math.min(this.ends, length) - 1] ?? 0);
  }
}
