import { Inject, Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { ownJson } from '../../../platform/text/json';
import { within } from '../../../platform/time/within';
import type { Session } from './viewers';

/** A session that nobody renews is over: its process has died. */
export const KEPT_MS = 15_000;
/** Sessions of one ticket that are told. */
const MOST_SESSIONS = 200;
const ANSWER_WITHIN_MS = 1_000;

/** By the clock of Redis, as those of the processes differ. */
const RENEW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
  if #ARGV > 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return redis.call('ZRANGE', KEYS[1], 0, ${MOST_SESSIONS - 1})`;

/** Where a ticket is. */
export interface Place {
  workspaceId: number;
  ticketId: number;
}

/**
 * Who looks at which ticket, in Redis, so that all processes know; each renews its own. While Redis does not answer a process knows of its
 * own alone. It is connected to when somebody looks for the first time.
 */
@Injectable()
export class ViewingBoard {
  private redis: Redis | null = null;
  private closed = false;

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'redisUrl'>) {}

  close(): void {
    this.closed = true;
    this.redis?.disconnect();
  }

  /** Renews the sessions of this process; answers those of all. Never throws. */
  async renew(place: Place, own: readonly Session[]): Promise<Session[]> {
    if (this.closed) return [...own];
    try {
      const members = own.map((session) => JSON.stringify(session));
      const asked = this.client().eval(RENEW, 1, keyOf(place), KEPT_MS, ...members);
      const all = await within(ANSWER_WITHIN_MS, asked);
      return Array.isArray(all) ? all.map((text) => ownJson<Session>(String(text))) : [...own];
    } catch {
      return [...own];
    }
  }

  /** Ends sessions at once. Never throws. */
  async leave(place: Place, gone: readonly Session[]): Promise<void> {
    if (this.closed || gone.length === 0) return;
    const members = gone.map((session) => JSON.stringify(session));
    await within(ANSWER_WITHIN_MS, this.client().zrem(keyOf(place), ...members)).catch(() => undefined);
  }

  private client(): Redis {
    if (this.redis) return this.redis;
    this.redis = new Redis(this.config.redisUrl, {
      enableAutoPipelining: true,
      maxRetriesPerRequest: 0,
      commandTimeout: ANSWER_WITHIN_MS,
      connectTimeout: 2_000,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    });
    // Every failure is seen by the command that failed; an unheard 'error' event would end the process.
    this.redis.on('error', () => undefined);
    return this.redis;
  }
}

function keyOf({ workspaceId, ticketId }: Place): string {
  return `helpdesk:viewing:${workspaceId}:${ticketId}`;
}
