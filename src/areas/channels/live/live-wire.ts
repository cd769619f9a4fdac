import { Inject, Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { noticeOf, type TypingNotice } from './typing-notice';

const TOPIC = 'helpdesk:channels';
const TYPING = 'helpdesk:typing';
const ANSWER_WITHIN_MS = 1_000;

/** What is heard. */
export interface Listener {
  /** Something was said in a workspace. */
  said(workspaceId: number): void;
  typing(notice: TypingNotice): void;
}

/**
 * Says to all processes, by Redis, that something was said in a workspace: which it was, they read themselves. What is lost on the way
 * is found by their next look, so nothing waits for an answer here. Connected to when it is first needed.
 */
@Injectable()
export class LiveWire {
  private heard: Listener | null = null;
  private sender: Redis | null = null;
  private receiver: Redis | null = null;
  private closed = false;
  private readonly pending = new Set<number>();
  private readonly id = randomUUID();

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

  /** That somebody writes, now: what is lost is lost. Never throws. */
  say(notice: TypingNotice): void {
    if (this.closed) return;
    this.heard?.typing(notice);
    this.sending()
      .publish(TYPING, JSON.stringify({ ...notice, by: this.id }))
      .catch(() => undefined);
  }

  /** From now on, and whenever Redis is back. */
  hear(heard: Listener): void {
    if (this.receiver || this.closed) return;
    this.heard = heard;
    this.receiver = this.client({});
    this.receiver.on('message', (topic: string, text: string) => {
      if (topic === TOPIC) for (const id of text.split(',')) heard.said(Number(id));
      // What this process says it has heard by itself.
      else if (!text.endsWith(`"by":"${this.id}"}`)) this.hearTyping(text, heard);
    });
    this.receiver.subscribe(TOPIC, TYPING).catch(() => undefined);
  }

  private flush(): void {
    const told = [...this.pending];
    this.pending.clear();
    if (this.closed) return;
    for (const id of told) this.heard?.said(id);
    this.sending()
      .publish(TOPIC, told.join(','))
      .catch(() => undefined);
  }

  private hearTyping(text: string, heard: Listener): void {
    const notice = noticeOf(text);
    if (notice) heard.typing(notice);
  }

  private sending(): Redis {
    return (this.sender ??= this.client({ commandTimeout: ANSWER_WITHIN_MS, maxRetriesPerRequest: 0 }));
  }

  private client(options: { commandTimeout?: number; maxRetriesPerRequest?: number }): Redis {
    const retryStrategy = (attempt: number): number => Math.min(attempt * 100, 2_000);
    const client = new Redis(this.config.redisUrl, { ...options, connectTimeout: 2_000, retryStrategy });
    // An unheard 'error' event would end the process.
    client.on('error', () => undefined);
    return client;
  }
}
