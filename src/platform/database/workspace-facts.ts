import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { currentWorkspaceId } from '../context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { ChannelListener } from './channel-listener';

const FRESH_MS = 30_000;
/** While changes cannot be heard, they must still be effective within a second. */
const FRESH_DEAF_MS = 500;
const MAX_WORKSPACES = 5_000;
/** Announced with the id of the workspace by triggers on the tables that facts are read from. */
const CHANNEL = 'workspace_facts_changed';

interface Kept<T> {
  value: T;
  /** Milliseconds of the monotonic clock. */
  loadedAt: number;
}

/**
 * What is asked about a workspace with nearly every request and changes seldom (which custom fields it has defined): read once,
 * and kept in memory until somebody changes it.
 */
@Injectable()
export class WorkspaceFacts implements OnModuleInit, OnApplicationShutdown {
  private readonly caches: LRUCache<number, Kept<object>>[] = [];
  private readonly listener: ChannelListener;
  private freshMs = FRESH_DEAF_MS;
  /** What was being read while something changed is not kept. */
  private generation = 0;

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.listener = new ChannelListener(config.databaseUrl, CHANNEL, {
      notified: (workspaceId) => this.forget(Number(workspaceId)),
      connected: () => {
        this.forgetAll();
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
   * Declares a fact.
   *
   * @param load reads it for the current workspace; nothing that the unit of work at hand has changed
   * @returns what answers it for the current workspace
   */
  declare<T extends object>(load: () => Promise<T>): () => Promise<T> {
    const cache = new LRUCache<number, Kept<T>>({ max: MAX_WORKSPACES });
    this.caches.push(cache as unknown as LRUCache<number, Kept<object>>);
    return async () => {
      const workspaceId = currentWorkspaceId();
      const kept = cache.get(workspaceId);
      // Taken before the query: the answer is never older than its age says.
      const loadedAt = performance.now();
      if (kept && loadedAt - kept.loadedAt < this.freshMs) return kept.value;
      const { generation } = this;
      const value = await load();
      if (generation === this.generation) cache.set(workspaceId, { value, loadedAt });
      return value;
    };
  }

  /** Something of a workspace has changed; to be called after the commit. The other nodes hear of it by themselves. */
  forget(workspaceId: number): void {
    this.generation++;
    for (const cache of this.caches) cache.delete(workspaceId);
  }

  private forgetAll(): void {
    this.generation++;
    for (const cache of this.caches) cache.clear();
  }
}
