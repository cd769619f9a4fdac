import type { Queue } from 'bull';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../time/within';
import type { TransportPace } from './transport-pace';

/** A job that does nothing but arrive. */
export interface CanaryJob {
  canary: string;
}

const LOOK_MS = 100;
/** Canaries in a row that only other nodes saw, after which this node's connections are renewed. */
const FOREIGN = 12;
/** Dead canaries in a row after which the connections are renewed, and again each time. */
const RENEW_AFTER = 2;
/** How long a queue may be dead before the log says so. */
const COMPLAIN_AFTER_MS = 2000;
/** At the start connections are just being made. */
const OPEN_MS = 300;
const WHILE_OPENING_MS = 25;

/**
 * Sends a job through a queue every few seconds and sees whether anyone takes it. Bull may stop consuming without any
 * error (a blocking connection that died, a flushed Redis), so this is the only proof that jobs arrive.
 */
export class Canary {
  private sent: string | null = null;
  private arrived: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private stopped = false;
  private opening = true;
  private living = false;
  private foreign = 0;
  private deaths = 0;
  private diedAt = performance.now();
  private complained = false;
  private consuming = false;
  private saturated: () => boolean = () => false;

  /**
   * @param renew renews the connections of this node
   * @param changed the log should say whether jobs arrive
   */
  constructor(
    private readonly queue: Queue,
    private readonly renew: () => void,
    private readonly changed: () => void,
    private readonly pace: TransportPace,
  ) {}

  get alive(): boolean {
    return this.living;
  }

  /** Dead for longer than a moment, so that the log says so. */
  get lost(): boolean {
    return this.complained;
  }

  /**
   * Resolves once a canary has arrived, or a moment later without.
   *
   * @param consuming this node takes jobs of the queue, too
   * @param saturated whether it is too busy to take one soon
   */
  async start(consuming: boolean, saturated: () => boolean): Promise<void> {
    this.consuming = consuming;
    this.saturated = saturated;
    const openUntil = performance.now() + OPEN_MS;
    this.check();
    while (!this.living && performance.now() < openUntil) await pause(WHILE_OPENING_MS);
    this.opening = false;
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    this.arrived?.();
  }

  /** A job could not be added: the queue counts as dead until the next canary has arrived, which is sent at once. */
  suspect(): void {
    this.verdict(false);
    this.check();
  }

  /** A canary, of whatever node, was taken by this one. */
  seen(canary: string): void {
    this.foreign = 0;
    if (canary === this.sent) this.arrived?.();
  }

  private check(): void {
    if (this.stopped || this.running) return;
    if (this.timer) clearTimeout(this.timer);
    this.running = this.fly().then((alive) => {
      this.running = null;
      if (this.stopped) return;
      this.verdict(alive);
      this.deaths = alive ? 0 : this.deaths + 1;
      if (this.deaths >= RENEW_AFTER || this.foreign >= FOREIGN) {
        this.foreign = 0;
        this.renew();
      }
      this.timer = setTimeout(() => this.check(), this.pauseMs()).unref();
    });
  }

  private pauseMs(): number {
    if (this.living) return this.pace.everyMs;
    return this.opening ? WHILE_OPENING_MS : this.pace.whileDeadMs;
  }

  private async fly(): Promise<boolean> {
    const { addMs, arrivesWithinMs } = this.pace;
    const canary = randomUUID();
    this.sent = canary;
    const seen = new Promise<true>((resolve) => (this.arrived = () => resolve(true)));
    try {
      // In front of everything else: it asks whether jobs are taken, not how many there are.
      await within(addMs, this.queue.add({ canary }, { jobId: canary, lifo: true }));
      const deadline = performance.now() + arrivesWithinMs;
      while (performance.now() < deadline && !this.stopped) {
        if (await Promise.race([seen, pause(LOOK_MS)])) return true;
        if (this.saturated()) return true;
        const left = await within(addMs, this.queue.getJob(canary));
        if (!left) {
          if (this.consuming && !(await Promise.race([seen, pause(0)]))) this.foreign++;
          return true;
        }
      }
      await within(addMs, this.takeBack(canary));
      return false;
    } catch {
      return false;
    }
  }

  private async takeBack(canary: string): Promise<void> {
    await (await this.queue.getJob(canary))?.remove();
  }

  private verdict(alive: boolean): void {
    const now = performance.now();
    if (this.living && !alive) this.diedAt = now;
    this.living = alive;
    // A moment's hesitation is not worth a line.
    if (!alive && !this.complained && now - this.diedAt > COMPLAIN_AFTER_MS) {
      this.complained = true;
      this.changed();
    } else if (alive && this.complained) {
      this.complained = false;
      this.changed();
    }
  }
}

function pause(milliseconds: number): Promise<false> {
  return sleep(milliseconds, false, { ref: false });
}
