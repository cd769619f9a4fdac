/** What a table of flights keeps of one that has ended is nothing (see `InFlight`). */
interface Flight<T> {
  outcome: Promise<T | null> | null;
}

/**
 * Lets one caller per key work while the others wait for what it brings: without it, a hundred copies of one request
 * would each hold a database connection only to wait for the first.
 */
export class SingleFlight<T> {
  private readonly flights = new Map<string, Flight<T>>();

  /** Keys being worked on. */
  get size(): number {
    return this.flights.size;
  }

  /**
   * Runs `work` when nobody works on `key`; otherwise waits for who does and then tries again, because that work may
   * have failed.
   *
   * @param waitMs longest wait in all
   * @returns the outcome and whether this call produced it; null when the wait was too long
   */
  async run(key: string, waitMs: number, work: () => Promise<T>): Promise<{ outcome: T; own: boolean } | null> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      const flight = this.flights.get(key)?.outcome;
      if (!flight) return { outcome: await this.lead(key, work), own: true };
      const outcome = await within(flight, deadline - Date.now());
      if (outcome === 'late') return null;
      if (outcome.value !== null) return { outcome: outcome.value, own: false };
    }
  }

  private async lead(key: string, work: () => Promise<T>): Promise<T> {
    const running = work();
    const flight: Flight<T> = { outcome: running.catch(() => null) };
    this.flights.set(key, flight);
    try {
      return await running;
    } finally {
      this.flights.delete(key);
      flight.outcome = null;
    }
  }
}

async function within<T>(promise: Promise<T>, milliseconds: number): Promise<{ value: T } | 'late'> {
  if (milliseconds <= 0) return 'late';
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, milliseconds, 'late');
  });
  try {
    return await Promise.race([promise.then((value) => ({ value })), late]);
  } finally {
    clearTimeout(timer);
  }
}
