import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Areas } from '../area/areas';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { Renewal } from '../redis/connection';
import { BullTransport } from '../queue/bull-transport';
import { DatabaseProbe } from './database-probe';
import { within } from '../time/within';
import { AnyMember, EnumMember, NumberMember, ObjectMember } from '../http/answer-members';

/** One dependency as it was when last asked. */
export class HealthCheck {
  @EnumMember(['ok', 'down'])
  status: 'ok' | 'down';

  /** How long the last sign of life took; null when there was none. */
  @NumberMember({ nullable: true })
  latency_ms: number | null;
}

export class HealthChecks {
  @ObjectMember(() => HealthCheck)
  database: HealthCheck;

  @ObjectMember(() => HealthCheck)
  queue: HealthCheck;
}

export class HealthReport {
  @EnumMember(['ok', 'degraded'])
  status: 'ok' | 'degraded';

  @ObjectMember(() => HealthChecks)
  checks: HealthChecks;

  @AnyMember(
    { type: 'array', items: { type: 'string' } },
    { description: 'Why it is degraded, a sentence each; empty when it is not.' },
  )
  reasons: string[];
}

const INTERVAL_MS = 1000;
const DATABASE_TIMEOUT_MS = 300;
const REDIS_TIMEOUT_MS = 200;
/** Without an answer for so long, the connection to Redis is made anew. */
const REDIS_DEAD_AFTER_MS = 3000;
const UNKNOWN: HealthCheck = { status: 'down', latency_ms: null };

/**
 * Knows whether PostgreSQL and Redis answer, from checks made in the background: asking for health costs nothing and
 * cannot be used to load them.
 */
@Injectable()
export class HealthService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(HealthService.name);
  private readonly database: DatabaseProbe;
  private redis: Redis | null = null;
  private renewal: Renewal | null = null;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private checks = { database: UNKNOWN, queue: UNKNOWN };
  private pending: readonly string[] = [];
  private draining = false;
  /** Somebody deleted the data directory: PostgreSQL goes on for a while, and what it is told is lost. */
  private filesGone = false;

  constructor(
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
    private readonly transport: BullTransport,
    areas: Areas,
  ) {
    this.database = new DatabaseProbe(
      config.databaseUrl,
      areas.migrations.map(({ name }) => name),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    this.redis = new Redis(this.config.redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1000,
      retryStrategy: (attempt) => Math.min(attempt * 100, INTERVAL_MS),
      connectionName: 'helpdesk-api-health',
      lazyConnect: true,
    });
    this.redis.on('error', () => undefined);
    this.renewal = new Renewal(this.redis, REDIS_DEAD_AFTER_MS);
    await this.redis.connect().catch(() => undefined);
    await this.check();
    this.schedule();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    await this.running;
    this.database.close();
    this.redis?.disconnect();
  }

  /** From now on the process is not ready: it finishes what it has and is about to end. */
  startDraining(): void {
    this.draining = true;
  }

  report(): HealthReport {
    const { database } = this.checks;
    // Redis may answer while nobody takes jobs from it.
    const queue = this.transport.outage ? UNKNOWN : this.checks.queue;
    const reasons = [
      ...(this.filesGone ? [`The data directory ${this.config.dataDir} is gone.`] : []),
      ...(database.status === 'ok' ? [] : ['PostgreSQL does not answer.']),
      ...(queue.status === 'ok' ? [] : ['Redis does not answer, or nobody takes jobs from it.']),
    ];
    return { status: reasons.length ? 'degraded' : 'ok', checks: { database, queue }, reasons };
  }

  /** Why the process should get no requests; null when it should. Redis is not needed to answer. */
  notReadyBecause(): string | null {
    if (this.draining) return 'The process is shutting down.';
    if (this.filesGone) return 'The data directory is gone.';
    if (this.checks.database.status !== 'ok') return 'PostgreSQL does not answer.';
    return this.pending.length > 0 ? `Migrations are pending: ${this.pending.join(', ')}.` : null;
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.running = this.check().finally(() => {
        if (this.timer) this.schedule();
      });
    }, INTERVAL_MS);
    this.timer.unref();
  }

  private async check(): Promise<void> {
    const [database, queue, filesGone] = await Promise.all([
      timed(async () => {
        this.pending = await this.database.check(DATABASE_TIMEOUT_MS);
      }),
      timed(async () => within(REDIS_TIMEOUT_MS, this.redis?.ping() ?? Promise.reject(new Error('Redis is closed.')))),
      this.lostFiles(),
    ]);
    if (filesGone && !this.filesGone) this.logger.error(`The data directory ${this.config.dataDir} is gone.`);
    this.filesGone = filesGone;
    if (queue.status === 'ok') this.renewal?.answered();
    else this.renewal?.failed();
    this.announce('PostgreSQL', this.checks.database, database);
    this.announce('Redis', this.checks.queue, queue);
    this.checks = { database, queue };
  }

  /** The record of the process that owns the directory goes with it, also when somebody makes an empty one anew. */
  private async lostFiles(): Promise<boolean> {
    const { embeddedIn } = this.config;
    if (!embeddedIn) return false;
    return access(join(embeddedIn, 'instance.json')).then(
      () => false,
      () => true,
    );
  }

  private announce(name: string, before: HealthCheck, now: HealthCheck): void {
    if (before.status === now.status) return;
    if (now.status === 'down') this.logger.warn(`${name} does not answer.`);
    else this.logger.log(`${name} answers.`);
  }
}

async function timed(ask: () => Promise<unknown>): Promise<HealthCheck> {
  const start = performance.now();
  try {
    await ask();
    return { status: 'ok', latency_ms: Math.round((performance.now() - start) * 10) / 10 };
  } catch {
    return UNKNOWN;
  }
}
