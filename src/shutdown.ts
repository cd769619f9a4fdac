/** Ctrl-C under npm arrives twice, from the terminal and from npm: only a later signal is a person's second one. */
const SAME_SIGNAL_MS = 500;

/** One thing to undo, e.g. closing the server. */
export type EndingStep = () => Promise<void>;

/**
 * Ends the process in order on SIGTERM or SIGINT, also while it is still starting: the steps run last first, then the
 * process exits with code 0. A second signal (half a second later or more), a failing step, or taking longer than `timeoutMs` makes it exit at once
 * with code 1.
 */
export class Ending {
  private readonly steps: EndingStep[] = [];
  private startedAt: number | null = null;

  /**
   * @param timeoutMs when it leaves although not everything has ended
   * @param announces whether it says that it ends
   */
  constructor(
    private readonly timeoutMs: number,
    private readonly announces = true,
  ) {
    process.on('SIGTERM', () => {
      this.signalled();
    });
    process.on('SIGINT', () => {
      this.signalled();
    });
  }

  /** True from the first signal on: whatever fails now fails because things are being taken down. */
  get begun(): boolean {
    return this.startedAt !== null;
  }

  /** Adds a step, to run before those added earlier. */
  onEnd(step: EndingStep): void {
    this.steps.unshift(step);
  }

  /** Begins to end, as at a first signal, and exits with that code when all is done; nothing where it has begun. */
  begin(exitCode = 0): void {
    if (this.startedAt !== null) return;
    this.startedAt = performance.now();
    if (this.announces) process.stderr.write('Ending…\n');
    setTimeout(() => {
      leave('Not everything ended in time; leaving now.');
    }, this.timeoutMs).unref();
    this.run().then(
      () => process.exit(exitCode),
      (error: unknown) =>
        leave(`Ending failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    );
  }

  private signalled(): void {
    if (this.startedAt !== null && performance.now() - this.startedAt > SAME_SIGNAL_MS) process.exit(1);
    this.begin();
  }

  private async run(): Promise<void> {
    // Steps may still be added while earlier ones run: a start that a signal interrupts goes on until it notices.
    for (let step = this.steps.shift(); step; step = this.steps.shift()) await step();
  }
}

function leave(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
