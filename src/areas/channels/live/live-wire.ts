import { Inject, Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';

const TOPIC = 'helpdesk:channels';
const ANSWER_WITHIN_MS = 1_000;

/**
 * Says to all processes, by Redis, that something was said in a workspace: which it was, they read themselves. What is lost on the way
 * is found by their next look, so nothing waits for an answer here. Connected to when it is first needed.
 */
@Injectable()
export class LiveWire {
  private heard: ((workspaceId: number) => void) | null = null;
  private sender: Redis | null = null;
  private receiver: Redis | null = null;
  private closed = false;
  private readonly pending = new Set<number>();

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'redisUrl'>) {}

  close(): void {
    this.closed = true;
    this.sender?.disconnect();
    this.receiver?.disconnect();
  }

  /** Whether what other processes say is not heard at the moment. */
  get isDeaf(): boolean {
    return this.receiver?.status !== 'ready';
  }

  /** After the commit. Never throws; what is said in one turn is said once. In this process it is heard without Redis. */
  tell(workspaceId: number): void {
    if (this.closed) return;
    if (this.pending.size === 0) setImmediate(() => this.flush());
    this.pending.add(workspaceId);
  }

  /** From now on, and whenever Redis is back. */
  hear(heard: (workspaceId: number) => void): void {
    if (this.receiver || this.closed) return;
    this.heard = heard;
    this.receiver = this.client({});
    this.receiver.on('message', (_topic, text: string) => {
      for (const id of text.split(',')) heard(Number(id));
    });
    this.receiver.subscribe(TOPIC).catch(() => undefined);
  }

  private flush(): void {
    const told = [...this.pending];
    this.pending.clear();
    if (this.closed) return;
    for (const id of told) this.heard?.(id);
    this.sender ??= this.client({ commandTimeout: ANSWER_WITHIN_MS, maxRetriesPerRequest: 0 });
    this.sender.publish(TOPIC, told.join(',')).catch(() => undefined);
  }

  private client(options: { commandTimeout?: number; maxRetriesPerRequest?: number }): Redis {
    const retryStrategy = (attempt: number): number => Math.min(attempt * 100, 2_000);
    const client = new Redis(this.config.redisUrl, { ...options, connectTimeout: 2_000, retryStrategy });
    // An unheard 'error' event would end the process.
    client.on('error', () => undefined);
    return client;
  }
}
