import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Redis, type Result } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../time/within';
import { Renewal } from '../redis/connection';
import type { Grant } from './lease';
import { NODES_SCRIPT, REDIS_CLOCK, slidingWindowScript } from './sliding-window-script';

type WindowReply = [
  admitted: number,
  total: number,
  freeMicros: number,
  generation: string,
  fresh: 0 | 1,
  ahead: number,
  part: number,
  leftMicros: number,
];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    slideWindow(
      key: string,
      limit: number,
      wanted: number,
      owed: number,
      lost: number,
      windowMs: number,
      ahead: number,
      back: number,
      backPart: number,
    ): Result<WindowReply, Context>;
    countNodes(key: string, name: string, silentSeconds: number): Result<number, Context>;
  }
}

/** What is asked about some waiting requests of one token. */
interface WindowQuestion {
  limit: number;
  windowMs: number;
  /** How many of them there are. */
  wanted: number;
  /** Admissions this node made on its own, to be counted now. */
  owed: number;
  /** Admissions to be counted instead when Redis has lost the state. */
  lost: number;
  /** How many admissions to count ahead. */
  ahead: number;
  /** Of those, what was not used. */
  unused: { admissions: number; part: number } | null;
}

/** How the shared window judged some waiting requests of one token. */
export interface WindowAnswer {
  admitted: number;
  /** Requests that count now, the admitted ones and those counted ahead included. */
  total: number;
  /** Milliseconds until one more fits; 0 = now. */
  freeInMs: number;
  /** Changes when Redis has lost the state. */
  generation: string;
  /** This call began the state (and counted what the caller had in case it was lost). */
  fresh: boolean;
  /** Counted ahead. */
  grant: Grant;
}

const READY_WITHIN_MS = 1000;
const PROBE_MS = 250;
const NODES_MS = 5000;
/** Without an answer for so long, the connection is made anew. */
const DEAD_AFTER_MS = 2000;
const NODE_SILENT_SECONDS = 15;

/**
 * The windows that all nodes share, in Redis. Asking fails at once, never queues and never hangs: after a failure
 * `usable` stays false until a probe in the background has succeeded, so no request pays for finding out.
 */
export class SharedWindow {
  /** Nodes that share the limits, as last seen. */
  nodes = 1;
  private readonly logger = new Logger(SharedWindow.name);
  private readonly redis: Redis;
  private readonly renewal: Renewal;
  private readonly name = randomUUID();
  private timer: NodeJS.Timeout | null = null;
  private healthy = false;
  private closed = false;

  /** @param waitMs an answer that takes longer is a failure */
  constructor(
    redisUrl: string,
    private readonly waitMs: number,
    private readonly keyPrefix = 'helpdesk:',
  ) {
    this.redis = new Redis(redisUrl, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      // What ioredis sends by itself, too; `within` is exact about our own, and not misled by a busy process.
      commandTimeout: Math.max(READY_WITHIN_MS, waitMs),
      connectTimeout: 2000,
      disconnectTimeout: 200,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
      scripts: {
        slideWindow: { lua: slidingWindowScript(REDIS_CLOCK), numberOfKeys: 1 },
        countNodes: { lua: NODES_SCRIPT, numberOfKeys: 1 },
      },
    });
    this.renewal = new Renewal(this.redis, DEAD_AFTER_MS);
    // Every failure is seen by the command that failed; an unheard 'error' event would end the process.
    this.redis.on('error', () => undefined);
    this.redis.on('ready', () => void this.probe());
    this.redis.on('close', () => this.fail('the connection ended'));
  }

  /** Whether asking is worth it. */
  get usable(): boolean {
    return this.healthy;
  }

  /** Waits a moment for Redis; goes on without it. */
  async open(): Promise<void> {
    const ready = new Promise<void>((resolve) => this.redis.once('ready', resolve));
    void this.redis.connect().catch(() => undefined);
    await Promise.race([ready, sleep(READY_WITHIN_MS, undefined, { ref: false })]);
    await this.probe();
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.redis.disconnect();
  }

  /**
   * Asks for `wanted` admissions of one token, at most `limit` in any `windowMs` milliseconds.
   *
   * @throws whatever ioredis throws; `usable` is false from then on
   */
  async ask(key: string, question: WindowQuestion): Promise<WindowAnswer> {
    try {
      const { limit, wanted, owed, lost, windowMs, ahead, unused } = question;
      const back = [unused?.admissions ?? 0, unused?.part ?? 0] as const;
      const name = `${this.keyPrefix}rate:${key}`;
      const asked = this.redis.slideWindow(name, limit, wanted, owed, lost, windowMs, ahead, ...back);
      const reply = await within(this.waitMs, asked);
      this.renewal.answered();
      return {
        admitted: reply[0],
        total: reply[1],
        freeInMs: reply[2] / 1000,
        generation: reply[3],
        fresh: reply[4] === 1,
        grant: { admissions: reply[5], part: reply[6], leftMs: reply[7] / 1000 },
      };
    } catch (error) {
      this.fail((error as Error).message);
      throw error;
    }
  }

  private async probe(): Promise<void> {
    if (this.closed) return;
    if (this.timer) clearTimeout(this.timer);
    try {
      const counted = this.redis.countNodes(`${this.keyPrefix}nodes`, this.name, NODE_SILENT_SECONDS);
      this.nodes = Math.max(1, await within(this.waitMs, counted));
      this.healthy = true;
      this.renewal.answered();
      this.again(NODES_MS);
    } catch (error) {
      this.fail((error as Error).message);
    }
  }

  private fail(reason: string): void {
    if (this.healthy && !this.closed) this.logger.warn(`Rate limits are local until Redis answers again: ${reason}.`);
    this.healthy = false;
    this.renewal.failed();
    this.again(PROBE_MS);
  }

  private again(afterMs: number): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = this.closed ? null : setTimeout(() => void this.probe(), afterMs).unref();
  }
}
