const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;

interface Setback {
  untilMs: number;
  pauseMs: number;
}

/**
 * Workspaces for which this process failed to do something, and until when others go before it: 10 s after the first failure, twice as long after each
 * further one, 10 minutes at most. One that can never be done costs the others a try now and then, not their turn.
 */
export class Setbacks {
  private readonly setbacks = new Map<number, Setback>();

  /** @param now clock that only goes forward, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Those that are to wait. */
  waiting(): number[] {
    const now = this.now();
    return [...this.setbacks].filter(([, { untilMs }]) => untilMs > now).map(([id]) => id);
  }

  failed(id: number): void {
    const before = this.setbacks.get(id)?.pauseMs;
    const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(2 * before, LONGEST_PAUSE_MS);
    this.setbacks.set(id, { untilMs: this.now() + pauseMs, pauseMs });
  }

  succeeded(id: number): void {
    this.setbacks.delete(id);
  }
}
