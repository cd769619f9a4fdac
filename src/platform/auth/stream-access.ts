import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Access } from '../context/access';
import { onBehalfOf } from '../context/principal';
import { LIFE_MS } from '../http/streams/event-stream';
import { type OpenStream, OpenStreams } from '../http/streams/open-streams';
import { AccessCache } from './access-cache';
import { namedBy } from './acting.guard';
import { presentedToken } from './bearer.guard';

/** So many callers are looked up at once: what many streams ask for is left to the requests of others. */
const AT_ONCE = 4;
/** Between two looks at all streams, however often something changes, and before what could not be answered is asked again. */
const PAUSE_MS = 200;

/**
 * Ends streams of events whose caller is no longer who they were: a token that was revoked or has expired, an account or a user that was suspended, a role
 * that sees less. Whoever may still come opens the stream anew, with what they may now; everybody else is told so then.
 */
@Injectable()
export class StreamAccess implements OnModuleInit, OnModuleDestroy {
  private isDue = false;
  private isLooking = false;
  private isOver = false;

  constructor(
    private readonly cache: AccessCache,
    private readonly streams: OpenStreams,
  ) {}

  onModuleInit(): void {
    this.cache.onChanged(() => this.look());
    // What changed between the guards and now was announced before there was a stream.
    this.streams.onOpened((opened) => {
      void this.keep(opened).then((isKnown) => isKnown || this.look());
      this.endWithToken(opened);
    });
  }

  onModuleDestroy(): void {
    this.isOver = true;
  }

  private endWithToken({ request, stream }: OpenStream): void {
    const expires = request.helpdesk.access?.token.expires_at;
    const left = expires ? Date.parse(expires) - Date.now() : Infinity;
    if (left > LIFE_MS) return;
    const timer = setTimeout(() => stream.end(), left).unref();
    stream.output.once('close', () => clearTimeout(timer));
  }

  /** Looks at all streams, now or behind the look that is under way. */
  private look(): void {
    this.isDue = true;
    if (!this.isLooking) void this.rounds();
  }

  private async rounds(): Promise<void> {
    this.isLooking = true;
    while (this.isDue && !this.isOver) {
      this.isDue = false;
      const all = [...this.streams];
      for (let from = 0; from < all.length; from += AT_ONCE) {
        const known = await Promise.all(all.slice(from, from + AT_ONCE).map((opened) => this.keep(opened)));
        this.isDue ||= known.includes(false);
      }
      // What is not heard is asked for.
      this.isDue ||= this.cache.isDeaf;
      if (this.isDue) await pause(PAUSE_MS, undefined, { ref: false });
    }
    this.isLooking = false;
  }

  /** Ends a stream unless its caller is who they were. @returns false where that cannot be told now */
  private async keep({ request, stream }: OpenStream): Promise<boolean> {
    const { access } = request.helpdesk;
    const token = presentedToken(request);
    if (!access || token === null || !stream.output.writable) return true;
    try {
      const now = await this.accessOf(token, namedBy(request));
      if (!now || !isDeepStrictEqual(lasting(now), lasting(access))) stream.end();
      return true;
    } catch {
      // PostgreSQL cannot be asked: requests say so, and nothing that was refused is known.
      return false;
    }
  }

  private async accessOf(token: string, name: string | null): Promise<Access | null> {
    const access = await this.cache.find(token);
    if (!access || name === null) return access;
    const user = (await this.cache.findUser(access.workspace.id, name))?.user;
    return user ? onBehalfOf(access, user).access : null;
  }
}

/** What does not change by being used. */
function lasting({ token: { last_used_at: _used, ...token }, ...access }: Access): object {
  return { ...access, token };
}
