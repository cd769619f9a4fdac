import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { currentOrNone } from '../context/current';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { type PoolName, POOLS } from './pool-settings';
import type { ThreadTask } from './thread-task';
import { WorkerPool } from './worker-pool';

/**
 * Work that would keep the event loop from its requests, done in threads. Pools are bounded in threads, waiting tasks,
 * time and memory, and a workspace may have no more than half of one. All threads end with the application, after the
 * last answer has been sent.
 */
@Injectable()
export class Workers implements OnApplicationShutdown {
  private readonly pools = new Map<PoolName, WorkerPool>();

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'clusterWorkers' | 'slowness'>) {}

  /**
   * Runs a task in a thread of its pool.
   *
   * @param owner who is not to take the pool from others; by default the current workspace
   * @throws ApiError 503 with Retry-After when the pool is full or the task takes too long; else whatever the task throws
   */
  run<Input, Output>(
    task: ThreadTask<Input, Output>,
    input: Input,
    owner = String(currentOrNone()?.workspaceId ?? 'none'),
  ): Promise<Output> {
    let pool = this.pools.get(task.pool);
    if (!pool) this.pools.set(task.pool, (pool = this.open(task.pool)));
    return pool.run(task, input, owner);
  }

  private open(name: PoolName): WorkerPool {
    const { clusterWorkers, slowness = 1 } = this.config;
    const settings = POOLS[name];
    const maxThreads = Math.max(1, Math.floor(settings.maxThreads / clusterWorkers));
    return new WorkerPool(name, { ...settings, maxThreads, timeoutMs: settings.timeoutMs * slowness });
  }

  /** Threads that are there at this moment. */
  get size(): number {
    return [...this.pools.values()].reduce((sum, pool) => sum + pool.size, 0);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }
}
