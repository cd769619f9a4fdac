import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { ChannelListener } from '../database/channel-listener';
import { Database } from '../database/database';
import { toApiError } from '../database/database-errors';
import type { Access, ActingUser } from '../context/access';
import { hashToken, isTokenShaped } from './token-format';

const FRESH_MS = 5000;
/** While revocations cannot be heard, they must still be effective within a second. */
const FRESH_DEAF_MS = 500;
const KNOWN_TOKENS = 10_000;
const UNKNOWN_TOKENS = 1000;
const NAMED_USERS = 10_000;

interface Entry {
  access: Access | null;
  /** Milliseconds of the monotonic clock. */
  loadedAt: number;
  generation: number;
  /** Milliseconds since 1970; Infinity = never. */
  expiresAt: number;
}

/** Somebody whom a token says it acts for; `user` is null unless active. */
export interface NamedUser {
  status: string;
  user: ActingUser | null;
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
  private readonly users = new LRUCache<string, { found: NamedUser; loadedAt: number; generation: number }>({
    max: NAMED_USERS,
  });
  private readonly listener: ChannelListener;
  /** Entries of an older generation are void. Also voids look-ups that began before a change was announced. */
  private generation = 0;
  private freshMs = FRESH_DEAF_MS;
  private changed: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    @Inject(RUNTIME_CONFIG) config: RuntimeConfig,
  ) {
    this.listener = new ChannelListener(config.databaseUrl, 'access_changed', {
      notified: () => {
        this.clear();
        void database.sandboxes.learn();
      },
      connected: () => {
        this.clear();
        void database.sandboxes.learn();
        this.freshMs = FRESH_MS;
      },
      lost: () => {
        this.freshMs = FRESH_DEAF_MS;
        this.changed();
      },
    });
  }

  async onModuleInit(): Promise<void> {
    await this.listener.start();
    await this.database.sandboxes.learn();
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

  /**
   * A user of a workspace by id or e-mail address (lower-case); null when there is none, which is not kept: they may be made
   * the next moment.
   *
   * @throws ApiError service_unavailable when it is not in memory and PostgreSQL cannot be asked
   */
  findUser(workspaceId: number, name: string): NamedUser | Promise<NamedUser | null> {
    const key = `${workspaceId} ${name}`;
    const entry = this.users.get(key);
    if (entry?.generation === this.generation && performance.now() - entry.loadedAt < this.freshMs) return entry.found;
    return this.loadUser(key, workspaceId, name);
  }

  /** Changes are not heard now: whoever is not asked about again and again is not known. */
  get isDeaf(): boolean {
    return this.freshMs === FRESH_DEAF_MS;
  }

  /** @param changed called whenever something may have changed, and when that can no longer be heard */
  onChanged(changed: () => void): void {
    this.changed = changed;
  }

  /** Forgets everything: some token, account, plan or workspace has changed. */
  clear(): void {
    this.generation++;
    this.lookups.clear();
    this.changed();
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

  private async loadUser(key: string, workspaceId: number, name: string): Promise<NamedUser | null> {
    const { generation } = this;
    const loadedAt = performance.now();
    const id = /^[1-9]\d{0,15}$/.test(name) ? Number(name) : null;
    const found = await this.ask<NamedUser>('auth_named_user', 'SELECT auth_named_user($1, $2, $3) AS found', [
      workspaceId,
      id,
      id === null ? name : null,
    ]);
    if (found) this.users.set(key, { found, loadedAt, generation });
    return found;
  }

  private query(hash: Buffer): Promise<Access | null> {
    return this.ask<Access>('auth_lookup', 'SELECT auth_lookup($1) AS found', [hash]);
  }

  private async ask<T>(name: string, text: string, values: unknown[]): Promise<T | null> {
    const client = await this.database.connect();
    let failure: Error | undefined;
    try {
      const { rows } = await client.query<{ found: T | null }>({ name, text, values });
      return rows[0]?.found ?? null;
    } catch (error) {
      failure = error as Error;
      throw toApiError(error);
    } finally {
      client.release(failure);
    }
  }
}
