import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Many calls, few runs: at most one run at a time, and one more afterwards when calls came meanwhile, so that every
 * call is followed by a whole run. Errors go to `failed`.
 */
export class Coalesced {
  private running: Promise<void> | null = null;
  private again = false;

  /** @param gapMs shortest time between the starts of two runs; the first starts at once */
  constructor(
    private readonly run: () => Promise<unknown>,
    private readonly failed: (error: unknown) => void,
    private readonly gapMs = 0,
  ) {}

  call(): void {
    this.again = true;
    this.running ??= this.loop();
  }

  /** Resolves when nothing runs any more. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private async loop(): Promise<void> {
    while (this.again) {
      this.again = false;
      const startedAt = performance.now();
      try {
        await this.run();
      } catch (error) {
        this.failed(error);
      }
      const restMs = this.gapMs - (performance.now() - startedAt);
      if (restMs > 0) await sleep(restMs);
    }
    // In the same step as the last look at `again`, or a call in between would be lost.
    this.running = null;
  }
}
