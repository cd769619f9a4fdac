import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { firstSize, Lease } from './lease';
import { SharedWindow, type WindowAnswer } from './shared-window';
import { MINUTE_MS, SlidingWindow } from './sliding-window';

/** What is left of a limit, and in how many whole seconds there will be more. */
export interface RateFigures {
  remaining: number;
  resetSeconds: number;
}

/** What a request that was counted is told. */
export type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** What this node knows of one token, in windows of one length. */
interface TokenState {
  /** Under which all nodes know it. */
  readonly key: string;
  readonly windowMs: number;
  /** What this node admitted, whoever decided: takes over when Redis is away. */
  readonly window: SlidingWindow;
  waiting: { limit: number; decide: (record: ThrottlerRecord) => void }[];
  asking: boolean;
  /** Admitted here while Redis was away, not yet counted there. */
  owed: number;
  generation: string | null;
  /** Set by a refusal: nothing can free the window earlier, so until then nobody needs to be asked. */
  refusal: { limit: number; askFromMs: number; freeAtMs: number } | null;
  lease: Lease | null;
  askedAt: number;
}

const TOKENS = 10_000;

/**
 * The throttler's storage: at most `limit` requests of one key in any `ttl` milliseconds, across all nodes, in Redis.
 *
 * While a call for a token is in flight its later requests wait together for the next call, so a busy token costs far
 * less than one round trip a request. With Redis away this node applies its share of the limit by itself, and reports
 * what it admitted once Redis is back. Never an error, never unlimited (decision 15).
 */
@Injectable()
export class RedisThrottlerStorage implements ThrottlerStorage, OnModuleInit, OnApplicationShutdown {
  private readonly states = new LRUCache<string, TokenState>({ max: TOKENS });
  private readonly shared: SharedWindow;

  constructor(
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'redisUrl' | 'role' | 'redisWaitMs'>,
  ) {
    this.shared = new SharedWindow(config.redisUrl, config.redisWaitMs);
  }

  async onModuleInit(): Promise<void> {
    // A worker serves no requests, and must not count as one of the nodes that share the limits.
    if (this.config.role !== 'worker') await this.shared.open();
  }

  onApplicationShutdown(): void {
    this.shared.close();
  }

  /** Whether the limits are shared between nodes at this moment. */
  get mode(): 'shared' | 'local' {
    return this.shared.usable ? 'shared' : 'local';
  }

  /** What `count` answers, as the throttler wants it. */
  increment(key: string, ttl: number, limit: number): Promise<ThrottlerRecord> {
    return Promise.resolve(this.count(key, ttl, limit));
  }

  /**
   * Counts one request of `key` unless it is refused. A key is counted for itself with each length of the window.
   *
   * @param ttl the window, in milliseconds
   * @returns `timeToBlockExpire` in whole seconds: a request sent then succeeds; `timeToExpire` likewise until one that
   *   counts now no longer does, as far as this node knows. At once where this node may tell by itself
   */
  count(key: string, ttl: number, limit: number): ThrottlerRecord | Promise<ThrottlerRecord> {
    const state = this.stateOf(key, ttl);
    const now = performance.now();
    const { refusal } = state;
    if (refusal?.limit === limit && now < refusal.askFromMs) return refused(limit, refusal.freeAtMs - now, ttl);
    const leased = takeLeased(state, now, limit);
    if (leased) return leased;
    if (!this.shared.usable) return this.decideAlone(state, limit);
    return new Promise((decide) => {
      state.waiting.push({ limit, decide });
      if (!state.asking) void this.ask(state);
    });
  }

  /** What a request of `key` would be told in its minute, without counting it; as far as this node knows. */
  look(key: string, limit: number): RateFigures {
    const window = this.states.get(key)?.window;
    const now = performance.now();
    return {
      remaining: Math.max(0, limit - (window?.total(now) ?? 0)),
      resetSeconds: window === undefined ? 0 : Math.min(60, Math.ceil(window.oldestLeavesInMs(now) / 1000)),
    };
  }

  private async ask(state: TokenState): Promise<void> {
    const { key, windowMs } = state;
    state.asking = true;
    while (this.mustAsk(state)) {
      const { waiting, lease } = state;
      state.waiting = [];
      state.lease = null;
      const limit = waiting.at(-1)?.limit ?? 0;
      const askedAt = performance.now();
      const ahead = lease?.nextSize() ?? firstSize(askedAt - state.askedAt, waiting.length);
      if (waiting.length) state.askedAt = askedAt;
      const before = state.window.total(askedAt);
      const owed = Math.min(state.owed, before);
      state.owed = 0;
      try {
        const unused = lease?.unused ? { admissions: lease.unused, part: lease.part } : null;
        const asked = {
          limit,
          windowMs,
          wanted: waiting.length,
          owed,
          lost: before,
          ahead: waiting.length ? ahead : 0,
          unused,
        };
        const answer = await this.shared.ask(key, asked);
        this.learn(state, answer, before);
        const answeredAt = performance.now();
        if (answer.admitted < waiting.length) {
          state.refusal = { limit, askFromMs: askedAt + answer.freeInMs, freeAtMs: answeredAt + answer.freeInMs };
        }
        state.window.add(answeredAt, answer.admitted);
        const first = answer.total - answer.grant.admissions - answer.admitted + 1;
        if (answer.grant.admissions > 0)
          this.lend(state, new Lease(limit, first + answer.admitted, askedAt, answer.grant));
        waiting.forEach(({ decide }, index) => {
          decide(index < answer.admitted ? admitted(first + index, state) : refused(limit, answer.freeInMs, windowMs));
        });
      } catch {
        state.owed += owed;
        for (const { limit: own, decide } of waiting) decide(this.decideAlone(state, own));
      }
    }
    state.asking = false;
  }

  /** Serves who is waiting from the lease, as far as it goes; whether somebody is left, or something is to be given back. */
  private mustAsk(state: TokenState): boolean {
    const now = performance.now();
    while (state.waiting[0]) {
      const leased = takeLeased(state, now, state.waiting[0].limit);
      if (!leased) return true;
      state.waiting.shift()?.decide(leased);
    }
    return state.lease?.isOver(now) ?? false;
  }

  /** What is left of a lease at its end is given back. */
  private lend(state: TokenState, lease: Lease): void {
    state.lease = lease;
    const end = (): void => {
      if (state.lease === lease && !state.asking) void this.ask(state);
    };
    setTimeout(end, Math.ceil(lease.endsAt - performance.now()) + 1).unref();
  }

  /** Redis lost its state and another node began a new one: what this node admitted is missing there. */
  private learn(state: TokenState, { generation, fresh }: WindowAnswer, before: number): void {
    if (!fresh && state.generation !== null && state.generation !== generation) state.owed += before;
    state.generation = generation;
  }

  private decideAlone(state: TokenState, limit: number): ThrottlerRecord {
    const share = Math.max(1, Math.floor(limit / this.shared.nodes));
    const now = performance.now();
    if (state.window.admit(now, 1, share) === 0)
      return refused(limit, state.window.freeInMs(now, share), state.windowMs);
    state.owed++;
    return admitted(limit - share + state.window.total(now), state);
  }

  private stateOf(name: string, windowMs: number): TokenState {
    const key = windowMs === MINUTE_MS ? name : `${name}:${windowMs}`;
    let state = this.states.get(key);
    if (!state) {
      const window = new SlidingWindow(windowMs);
      state = {
        key,
        windowMs,
        window,
        waiting: [],
        asking: false,
        owed: 0,
        generation: null,
        refusal: null,
        lease: null,
        askedAt: -Infinity,
      };
      this.states.set(key, state);
    }
    return state;
  }
}

/** An admission that was counted ahead; null when there is none. */
function takeLeased(state: TokenState, nowMs: number, limit: number): ThrottlerRecord | null {
  const number = state.lease?.take(nowMs, limit) ?? null;
  if (number === null) return null;
  state.window.add(nowMs, 1);
  return admitted(number, state);
}

function admitted(totalHits: number, { window, windowMs }: TokenState): ThrottlerRecord {
  const timeToExpire = wholeSeconds(window.oldestLeavesInMs(performance.now()), windowMs);
  return { totalHits, timeToExpire, isBlocked: false, timeToBlockExpire: 0 };
}

function refused(limit: number, freeInMs: number, windowMs: number): ThrottlerRecord {
  const seconds = wholeSeconds(freeInMs, windowMs);
  return { totalHits: limit + 1, timeToExpire: seconds, isBlocked: true, timeToBlockExpire: seconds };
}

/** Rounded up, and never longer than the window by which clients know the limit. */
function wholeSeconds(ms: number, windowMs: number): number {
  return Math.max(1, Math.ceil(Math.min(ms, windowMs) / 1000));
}
