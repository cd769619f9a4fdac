import { Logger } from '@nestjs/common';
import Piscina from 'piscina';
import { fail } from '../errors/api-error';
import type { PoolSettings } from './pool-settings';
import type { ThreadTask } from './thread-task';

/** One bounded pool of threads. Its threads see no environment variable: what they need comes with the task. */
export class WorkerPool {
  private readonly logger = new Logger(WorkerPool.name);
  private readonly threads: Piscina;
  private readonly byOwner = new Map<string, number>();
  private inFlight = 0;
  private closed = false;

  constructor(
    private readonly name: string,
    private readonly settings: PoolSettings,
  ) {
    const { minThreads, maxThreads, maxQueue, memoryMb, youngMb, idleMs } = settings;
    this.threads = new Piscina({
      minThreads,
      maxThreads,
      // Counted here, too, before anything is handed over; threads that are about to start count as waiting there.
      maxQueue: maxQueue + maxThreads,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
      env: {},
      recordTiming: false,
    });
    // Of a thread that fails without a task; an unheard 'error' event would end the process.
    this.threads.on('error', (error: Error) => {
      this.logger.warn(`A thread of the pool ${name} has failed: ${error.message}`);
    });
  }

  /** Threads that are there at this moment. */
  get size(): number {
    return this.threads.threads.length;
  }

  /**
   * @param owner no owner may have more than half of the pool
   * @throws ApiError 503 with Retry-After when the pool is full or the task takes too long
   */
  async run<Input, Output>(task: ThreadTask<Input, Output>, input: Input, owner: string): Promise<Output> {
    const own = this.byOwner.get(owner) ?? 0;
    const room = this.settings.maxThreads + this.settings.maxQueue;
    if (this.closed || this.inFlight >= room || own >= room / 2) busy();
    this.inFlight++;
    this.byOwner.set(owner, own + 1);
    const timeout = new AbortController();
    const timer = setTimeout(() => {
      timeout.abort();
    }, this.settings.timeoutMs);
    try {
      const options = { filename: task.file, name: task.name, signal: timeout.signal };
      return (await this.threads.run(input, options)) as Output;
    } catch (error) {
      return this.explain(error, timeout.signal.aborted, task.name);
    } finally {
      clearTimeout(timer);
      this.inFlight--;
      const left = (this.byOwner.get(owner) ?? 1) - 1;
      if (left > 0) this.byOwner.set(owner, left);
      else this.byOwner.delete(owner);
    }
  }

  /** Ends all threads; what still runs fails. */
  async close(): Promise<void> {
    this.closed = true;
    await this.threads.destroy();
  }

  private explain(error: unknown, late: boolean, task: string): never {
    if (this.closed) busy();
    const outOfMemory = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!late && !outOfMemory) throw error;
    this.logger.warn(`${task} needed too much ${late ? 'time' : 'memory'} and was ended (pool ${this.name}).`);
    fail('service_unavailable', 'This needs more time than there is right now; try again.', {
      headers: { 'Retry-After': '5' },
    });
  }
}

function busy(): never {
  fail('service_unavailable', 'Too much of this is being done right now; try again.', {
    headers: { 'Retry-After': '2' },
  });
}
