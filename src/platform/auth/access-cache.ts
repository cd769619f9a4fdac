import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { ChannelListener } from '../database/channel-listener';
import { Database } from '../database/database';
import { toApiError } from '../database/database-errors';
import type { Access } from '../context/access';
import { hashToken, isTokenShaped } from './token-format';

const FRESH_MS = 5000;
/** While revocations cannot be heard, they must still be effective within a second. */
const FRESH_DEAF_MS = 500;
const KNOWN_TOKENS = 10_000;
const UNKNOWN_TOKENS = 1000;

interface Entry {
  access: Access | null;
  /** Milliseconds of the monotonic clock. */
  loadedAt: number;
  generation: number;
  /** Milliseconds since 1970; Infinity = never. */
  expiresAt: number;
}

/**
 * Who a bearer token is, from memory wherever possible: a known token costs one map look-up, one that fails its
 * checksum costs no I/O at all, and concurrent look-ups of one token share one query.
 */
@Injectable()
export class AccessCache implements OnModuleInit, OnApplicationShutdown {
  private readonly known = new LRUCache<string, Entry>({ max: KNOWN_TOKENS });
  private readonly unknown = new LRUCache<string, Entry>({ max: UNKNOWN_TOKENS });
  private readonly lookups = new Map<string, Promise<Access | null>>();
  private readonly listener: ChannelListener;
  /** Entries of an older generation are void. Also voids look-ups that began before a change was announced. */
  private generation = 0;
  private freshMs = FRESH_DEAF_MS;

  constructor(
    private readonly database: Database,
    @Inject(RUNTIME_CONFIG) config: RuntimeConfig,
  ) {
    this.listener = new ChannelListener(config.databaseUrl, 'access_changed', {
      notified: () => this.clear(),
      connected: () => {
        this.clear();
        this.freshMs = FRESH_MS;
      },
      lost: () => {
        this.freshMs = FRESH_DEAF_MS;
      },
    });
  }

  async onModuleInit(): Promise<void> {
    await this.listener.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.listener.stop();
  }

  /**
   * The access record of a presented token, or null when it must not be accepted.
   *
   * @throws ApiError service_unavailable when it is not in memory and PostgreSQL cannot be asked
   */
  find(token: string): Access | null | Promise<Access | null> {
    const entry = this.known.get(token) ?? this.unknown.get(token);
    if (entry?.generation === this.generation && performance.now() - entry.loadedAt < this.freshMs) {
      return entry.expiresAt > Date.now() ? entry.access : null;
    }
    if (!isTokenShaped(token)) return null;
    return this.lookups.get(token) ?? this.startLookup(token);
  }

  /** Forgets everything: some token, account, plan or workspace has changed. */
  clear(): void {
    this.generation++;
    this.lookups.clear();
  }

  private startLookup(token: string): Promise<Access | null> {
    const lookup = this.load(token).finally(() => {
      if (this.lookups.get(token) === lookup) this.lookups.delete(token);
    });
    this.lookups.set(token, lookup);
    return lookup;
  }

  private async load(token: string): Promise<Access | null> {
    const { generation } = this;
    // Taken before the query: the answer is never older than its age says.
    const loadedAt = performance.now();
    const access = await this.query(hashToken(token));
    const expiresAt = access?.token.expires_at ? Date.parse(access.token.expires_at) : Infinity;
    (access ? this.known : this.unknown).set(token, { access, loadedAt, generation, expiresAt });
    (access ? this.unknown : this.known).delete(token);
    return access;
  }

  private async query(hash: Buffer): Promise<Access | null> {
    const client = await this.database.connect();
    let failure: Error | undefined;
    try {
      const { rows } = await client.query<{ access: Access | null }>({
        name: 'auth_lookup',
        text: 'SELECT auth_lookup($1) AS access',
        values: [hash],
      });
      return rows[0]?.access ?? null;
    } catch (error) {
      failure = error as Error;
      throw toApiError(error);
    } finally {
      client.release(failure);
    }
  }
}
