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
/** Workspaces whose changes are told apart; more of them are as a change of all. */
const CHANGED_WORKSPACES = 10_000;

/** When something was read. */
interface Read {
  /** Milliseconds of the monotonic clock. */
  loadedAt: number;
  /** How many changes had been heard by then. */
  changes: number;
}

interface Entry extends Read {
  access: Access | null;
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
  private readonly users = new LRUCache<string, Read & { found: NamedUser }>({ max: NAMED_USERS });
  private readonly listener: ChannelListener;
  /** Changes heard so far. What was read before the last one that it may be about is void, and so are look-ups that began before. */
  private changes = 0;
  /** The last one that may be about any token, and the last one of each workspace since. */
  private lastOfAll = 0;
  private readonly lastOf = new Map<number, number>();
  private freshMs = FRESH_DEAF_MS;
  private changed: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    @Inject(RUNTIME_CONFIG) config: RuntimeConfig,
  ) {
    this.listener = new ChannelListener(config.databaseUrl, 'access_changed', {
      notified: (payload) => {
        this.clear(payload === '' ? undefined : Number(payload));
        if (payload === '') void database.sandboxes.learn();
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
    if (entry && this.isCurrent(entry, entry.access?.workspace.id)) {
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
    if (entry && this.isCurrent(entry, workspaceId)) return entry.found;
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

  /** Forgets everything, as some token, account, plan or workspace has changed; or what it knows of a workspace, whose people have. */
  clear(workspaceId?: number): void {
    this.changes++;
    if (workspaceId === undefined || this.lastOf.size >= CHANGED_WORKSPACES) {
      this.lastOfAll = this.changes;
      this.lastOf.clear();
    } else this.lastOf.set(workspaceId, this.changes);
    this.lookups.clear();
    this.changed();
  }

  /** Of a token that is not accepted nobody knows the workspace: it is asked about again after any change. */
  private isCurrent({ loadedAt, changes }: Read, workspaceId: number | undefined): boolean {
    const last = workspaceId === undefined ? this.changes : (this.lastOf.get(workspaceId) ?? 0);
    return changes >= this.lastOfAll && changes >= last && performance.now() - loadedAt < this.freshMs;
  }

  private startLookup(token: string): Promise<Access | null> {
    const lookup = this.load(token).finally(() => {
      if (this.lookups.get(token) === lookup) this.lookups.delete(token);
    });
    this.lookups.set(token, lookup);
    return lookup;
  }

  private async load(token: string): Promise<Access | null> {
    const { changes } = this;
    // Taken before the query: the answer is never older than its age says.
    const loadedAt = performance.now();
    const access = await this.query(hashToken(token));
    const expiresAt = access?.token.expires_at ? Date.parse(access.token.expires_at) : Infinity;
    (access ? this.known : this.unknown).set(token, { access, loadedAt, changes, expiresAt });
    (access ? this.unknown : this.known).delete(token);
    return access;
  }

  private async loadUser(key: string, workspaceId: number, name: string): Promise<NamedUser | null> {
    const { changes } = this;
    const loadedAt = performance.now();
    const id = /^[1-9]\d{0,15}$/.test(name) ? Number(name) : null;
    const found = await this.ask<NamedUser>('auth_named_user', 'SELECT auth_named_user($1, $2, $3) AS found', [
      workspaceId,
      id,
      id === null ? name : null,
    ]);
    if (found) this.users.set(key, { found, loadedAt, changes });
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
