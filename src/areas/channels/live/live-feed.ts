import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { current, currentAccess, currentWorkspaceId } from '../../../platform/context/current';
import type { Principal } from '../../../platform/context/principal';
import { fail } from '../../../platform/errors/api-error';
import { Seats } from '../../../platform/http/streams/seats';
import { isBehind, type LiveEvent, LiveEvents, type LogPlace, PAGE } from './live-events';
import { frameOf, type LiveFilter, LiveStream, MAX_WAITING } from './live-stream';
import { LiveWire } from './live-wire';

/** Streams of one token, of one workspace, and of this process. */
export const MAX_PER_TOKEN = 20;
const SEATS = { token: MAX_PER_TOKEN, workspace: 5_000, process: 6_000 };
/** What nobody said is looked for so often, and streams are looked after. */
const EVERY_MS = 2_000;
/** Pages that somebody who comes back is told. */
const MAX_PAGES = 5;
/** What was said is looked for again so soon while something older is still being written. */
const AGAIN_MS = 40;
const AGAIN_TIMES = 5;

/** The streams of a workspace, all as far as `place`. */
interface Room {
  readonly workspaceId: number;
  readonly streams: Set<LiveStream>;
  /** Null until somebody has come. */
  place: LogPlace | null;
  /** One after the other: whoever comes is brought to the place of the room before it goes on. */
  turn: Promise<void>;
  /** It is to be looked for more. */
  isCalled: boolean;
}

/** Tells what happens in channels while it happens. No connection of a pool is held; one timer serves all streams of the process. */
@Injectable()
export class LiveFeed implements OnModuleDestroy {
  private readonly rooms = new Map<number, Room>();
  private readonly seats = new Seats(SEATS);
  private timer: NodeJS.Timeout | null = null;
  private closing = false;

  constructor(
    private readonly events: LiveEvents,
    private readonly wire: LiveWire,
  ) {}

  /** Ahead of the listener's end, which waits for answers that are under way. */
  onModuleDestroy(): void {
    this.closing = true;
    this.seats.close();
    if (this.timer) clearInterval(this.timer);
    for (const { streams } of this.rooms.values()) for (const stream of streams) stream.end();
    this.wire.close();
  }

  /** A stream of what happens from now on, or behind an event that was seen; 429 and 503. */
  async open(filter: LiveFilter, lastEventId: string | null): Promise<LiveStream> {
    const principal = current().principal ?? fail('unauthorized', 'A valid bearer token is required.');
    const { token } = currentAccess();
    const workspaceId = currentWorkspaceId();
    const leave = this.seats.take(token.id, workspaceId);
    const stream = new LiveStream(principal, filter);
    const room = this.roomOf(workspaceId);
    stream.output.once('close', () => {
      leave();
      room.streams.delete(stream);
    });
    this.wire.hear((id) => this.call(id));
    this.timer ??= setInterval(() => this.look(), EVERY_MS).unref();
    try {
      await this.inTurn(room, () => this.join(room, stream, lastEventId));
    } catch (error) {
      stream.output.destroy();
      throw error;
    }
    return stream;
  }

  private roomOf(workspaceId: number): Room {
    const known = this.rooms.get(workspaceId);
    if (known) return known;
    const room = { workspaceId, streams: new Set<LiveStream>(), place: null, turn: Promise.resolve(), isCalled: false };
    this.rooms.set(workspaceId, room);
    return room;
  }

  private inTurn(room: Room, work: () => Promise<void>): Promise<void> {
    const done = room.turn.then(work);
    room.turn = done.catch(() => undefined);
    return done;
  }

  private async join(room: Room, stream: LiveStream, lastEventId: string | null): Promise<void> {
    room.place ??= await this.events.end(room.workspaceId);
    if (lastEventId !== null) await this.bringUp(room.workspaceId, room.place, stream, lastEventId);
    if (!stream.output.destroyed) room.streams.add(stream);
  }

  /** Tells what a client has missed, up to the place of its room; or that it has missed too much. */
  private async bringUp(workspaceId: number, to: LogPlace, stream: LiveStream, lastEventId: string): Promise<void> {
    let place = await this.events.placeOf(workspaceId, lastEventId);
    for (let page = 0; place !== null && page < MAX_PAGES; page++) {
      const behind: Awaited<ReturnType<LiveEvents['behind']>> = await this.events.behind(workspaceId, place);
      await this.tell(
        workspaceId,
        behind.events.filter((event) => !isBehind(event, to)),
        [stream],
      );
      if (behind.events.length < PAGE || isBehind(behind.place, to)) return;
      place = behind.place;
    }
    stream.reset();
  }

  /** Looks for more in a workspace, once for however many say so. */
  private call(workspaceId: number, times = AGAIN_TIMES): void {
    const room = this.rooms.get(workspaceId);
    if (!room || room.isCalled || this.closing) return;
    room.isCalled = true;
    void this.inTurn(room, async () => {
      room.isCalled = false;
      const found = await this.goOn(room);
      if (!found && times > 0) setTimeout(() => this.call(workspaceId, times - 1), AGAIN_MS).unref();
    }).catch(() => undefined);
  }

  /** Tells all streams of a workspace what came; whether there was anything. */
  private async goOn(room: Room): Promise<boolean> {
    if (room.place === null || room.streams.size === 0) return true;
    for (let found = false; ; found = true) {
      const { events, place } = await this.events.behind(room.workspaceId, room.place);
      await this.tell(room.workspaceId, events, [...room.streams]);
      room.place = place;
      if (events.length < PAGE) return found || events.length > 0;
    }
  }

  /** Whoever sees the same by the same limits is asked for once. */
  private async tell(workspaceId: number, events: readonly LiveEvent[], streams: readonly LiveStream[]): Promise<void> {
    if (events.length === 0) return;
    for (const [principal, alike] of groupsOf(streams)) {
      const wanted = events.filter((event) => alike.some((stream) => stream.wants(event)));
      if (wanted.length === 0) continue;
      const seen = principal.sight === null ? null : await this.events.seenBy(workspaceId, principal, wanted);
      const shown = wanted.filter(
        ({ thread_id, channel_id }) =>
          seen === null || (thread_id === null ? seen.channels.has(channel_id) : seen.threads.has(thread_id)),
      );
      if (shown.length === 0) continue;
      const frames = new Map(shown.map((event) => [event, frameOf(event)]));
      const whole = Buffer.concat([...frames.values()]);
      for (const stream of alike) {
        const own = shown.filter((event) => stream.wants(event));
        const isShared = own.length === shown.length && whole.length <= MAX_WAITING;
        for (const bytes of isShared ? [whole] : own.flatMap((event) => frames.get(event) ?? [])) stream.write(bytes);
      }
    }
  }

  private look(): void {
    for (const room of this.rooms.values()) {
      for (const stream of room.streams) stream.look();
      if (room.streams.size > 0) this.call(room.workspaceId, 0);
      else if (!this.seats.has(room.workspaceId)) this.rooms.delete(room.workspaceId);
    }
  }
}

function groupsOf(streams: readonly LiveStream[]): Map<Principal, LiveStream[]> {
  const keys = new Map<string, Principal>();
  const groups = new Map<Principal, LiveStream[]>();
  for (const stream of streams) {
    const { sight, userId } = stream.principal;
    const key = sight === null ? '' : `${userId ?? 0} ${sight.key}`;
    const first = keys.get(key) ?? stream.principal;
    keys.set(key, first);
    const alike = groups.get(first) ?? [];
    alike.push(stream);
    groups.set(first, alike);
  }
  return groups;
}
