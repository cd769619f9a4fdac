import type { Redis } from 'ioredis';

/**
 * Ends a connection that may be dead without saying so (Redis hangs, packets vanish) and lets ioredis make a new one.
 * One that is just being made is left alone: `connectTimeout` bounds that, and ending it once more would only leave
 * listeners behind.
 */
export function renewConnection(client: Redis): void {
  if (client.status === 'connect' || client.status === 'ready') client.disconnect(true);
}

/**
 * Renews the connection of a client whose commands fail for longer than a moment: those of a half-open connection
 * would fail until TCP gives it up, which takes a quarter of an hour.
 */
export class Renewal {
  private failingSince: number | null = null;

  /** @param afterMs how long commands may fail, and nothing be answered, before the connection counts as dead */
  constructor(
    private readonly client: Redis,
    private readonly afterMs: number,
  ) {}

  answered(): void {
    this.failingSince = null;
  }

  failed(): void {
    const now = performance.now();
    this.failingSince ??= now;
    if (now - this.failingSince < this.afterMs) return;
    // The new connection gets the same time.
    this.failingSince = now;
    renewConnection(this.client);
  }
}
