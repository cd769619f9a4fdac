import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { LiveWire } from './live-wire';
import type { TypingNotice } from './typing-notice';

/** Said again sooner, it is no news: whoever says it, and however often. */
const EVERY_MS = 2_500;
const REMEMBERED = 20_000;

/** Tells that somebody writes, each of them every few seconds at most. */
@Injectable()
export class Typing {
  private readonly told = new LRUCache<string, true>({ max: REMEMBERED, ttl: EVERY_MS });

  constructor(private readonly wire: LiveWire) {}

  tell(notice: TypingNotice): void {
    const { workspace_id, thread_id, from, user_id } = notice;
    const key = `${workspace_id}:${thread_id}:${from}:${user_id ?? 0}`;
    if (this.told.has(key)) return;
    this.told.set(key, true);
    this.wire.say(notice);
  }
}
