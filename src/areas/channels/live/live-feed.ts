import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { current, currentAccess, currentWorkspaceId } from '../../../platform/context/current';
import { fail } from '../../../platform/errors/api-error';
import { eventFrame } from '../../../platform/http/streams/event-stream';
import { Seats } from '../../../platform/http/streams/seats';
import { Callers } from './callers';
import { type LiveEvent, LiveEvents } from './live-events';
import { type Audience, type LiveFilter, LiveStream, MAX_WAITING } from './live-stream';
import { LiveWire } from './live-wire';
import type { LogPlace } from './log-place';
import { typingBody, type TypingNotice } from './typing-notice';

/** Streams of one token, of one workspace, and of this process. */
export const MAX_PER_TOKEN = 20;
const SEATS = { token: MAX_PER_TOKEN, workspace: 5_000, process: 6_000 };
/** The same of visitors: their tabs; they take no places of agents. */
const VISITOR_SEATS = { token: 8, workspace: 5_000, process: 6_000 };
/** Streams are looked after so often; what nobody said is looked for every so many rounds, while nobody can say it in each. */
const EVERY_MS = 250;
const ROUNDS = 8;
/** Pages that somebody who comes back is told. */
const MAX_PAGES = 5;

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
  private readonly visitorSeats = new Seats(VISITOR_SEATS);
  private timer: NodeJS.Timeout | null = null;
  private rounds = 0;
  private closing = false;

  constructor(
    private readonly events: LiveEvents,
    private readonly wire: LiveWire,
  ) {}

  /** Ahead of the listener's end, which waits for answers that are under way. */
  onModuleDestroy(): void {
    this.closing = true;
    this.seats.close();
    this.visitorSeats.close();
    if (this.timer) clearInterval(this.timer);
    for (const { streams } of this.rooms.values()) for (const stream of streams) stream.end();
    this.wire.close();
  }

  /** A stream of what happens from now on, or behind a place that was seen; 429 and 503. */
  open(filter: LiveFilter, lastEventId: string | null): Promise<LiveStream> {
    const principal = current().principal ?? fail('unauthorized', 'A valid bearer token is required.');
    const leave = this.seats.take(currentAccess().token.id, currentWorkspaceId());
    return this.begin(new LiveStream(new Callers(principal, this.events), filter), leave, lastEventId);
  }

  /** The same for the visitor of a conversation. */
  openFor(audience: Audience, filter: LiveFilter & { thread_id: number }, last: string | null): Promise<LiveStream> {
    const workspaceId = currentWorkspaceId();
    const leave = this.visitorSeats.take(`${workspaceId}:${filter.thread_id}`, workspaceId);
    return this.begin(new LiveStream(audience, filter), leave, last);
  }

  private async begin(stream: LiveStream, leave: () => void, lastEventId: string | null): Promise<LiveStream> {
    const room = this.roomOf(currentWorkspaceId());
    stream.output.once('close', () => {
      leave();
      room.streams.delete(stream);
    });
    this.wire.hear({
      said: (id) => this.call(id),
      typing: (notice) => void this.telling(notice).catch(() => undefined),
    });
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
    room.place ??= await this.events.now(room.workspaceId);
    // It failed on its way, and is in the middle of what it was telling.
    if (room.place.after !== null) await this.goOn(room);
    if (lastEventId !== null) await this.bringUp(room.workspaceId, room.place, stream, lastEventId);
    if (!stream.output.destroyed) room.streams.add(stream);
  }

  /** Tells what a client has missed, up to the place of its room; or that it has missed too much. */
  private async bringUp(workspaceId: number, to: LogPlace, stream: LiveStream, lastEventId: string): Promise<void> {
    let place = await this.events.placeOf(workspaceId, lastEventId);
    for (let page = 0; place !== null && page < MAX_PAGES; page++) {
      const behind: Awaited<ReturnType<LiveEvents['behind']>> = await this.events.behind(workspaceId, place, to);
      await this.tell(workspaceId, behind.events, [stream]);
      if (!behind.hasMore) return;
      place = behind.place;
    }
    stream.reset();
  }

  /** Looks for more in a workspace, once for however many say so. */
  private call(workspaceId: number): void {
    const room = this.rooms.get(workspaceId);
    if (!room || room.isCalled || this.closing) return;
    room.isCalled = true;
    void this.inTurn(room, async () => {
      room.isCalled = false;
      await this.goOn(room);
    }).catch(() => undefined);
  }

  /** Tells all streams of a workspace what came. */
  private async goOn(room: Room): Promise<void> {
    for (let hasMore = room.place !== null; hasMore && room.place !== null;) {
      const behind = await this.events.behind(room.workspaceId, room.place, room.place.after && room.place);
      await this.tell(room.workspaceId, behind.events, [...room.streams]);
      [room.place, hasMore] = [behind.place, behind.hasMore];
    }
  }

  /** Those who are told the same are asked for once. */
  private async tell(workspaceId: number, events: readonly LiveEvent[], streams: readonly LiveStream[]): Promise<void> {
    for (const [audience, alike] of groupsOf(streams.filter((stream) => events.some((event) => stream.wants(event))))) {
      const wanted = events.filter((event) => alike.some((stream) => stream.wants(event)));
      const frames = await audience.frames(workspaceId, wanted);
      if (frames.size === 0) continue;
      const shown = wanted.filter((event) => frames.has(event));
      const whole = Buffer.concat([...frames.values()]);
      for (const stream of alike) {
        const own = shown.filter((event) => stream.wants(event));
        const isShared = own.length === shown.length && whole.length <= MAX_WAITING;
        for (const bytes of isShared ? [whole] : own.flatMap((event) => frames.get(event) ?? [])) stream.write(bytes);
      }
    }
  }

  /** That somebody writes: to whoever listens at the moment and may know it. */
  private async telling(notice: TypingNotice): Promise<void> {
    const streams = [...(this.rooms.get(notice.workspace_id)?.streams ?? [])].filter((stream) => stream.wants(notice));
    const frame = Buffer.from(eventFrame('typing', typingBody(notice)));
    for (const [audience, alike] of groupsOf(streams))
      if (await audience.hears(notice)) for (const stream of alike) stream.write(frame);
  }

  private look(): void {
    this.rounds++;
    const isRound = this.rounds % ROUNDS === 0;
    for (const room of this.rooms.values()) {
      if (room.streams.size > 0 && (isRound || this.wire.isDeaf)) this.call(room.workspaceId);
      if (!isRound) continue;
      for (const stream of room.streams) stream.look();
      const isEmpty = !this.seats.has(room.workspaceId) && !this.visitorSeats.has(room.workspaceId);
      if (room.streams.size === 0 && isEmpty) this.rooms.delete(room.workspaceId);
    }
  }
}

function groupsOf(streams: readonly LiveStream[]): Map<Audience, LiveStream[]> {
  const keys = new Map<string, Audience>();
  const groups = new Map<Audience, LiveStream[]>();
  for (const stream of streams) {
    const { audience } = stream;
    const first = keys.get(audience.key) ?? audience;
    keys.set(audience.key, first);
    const alike = groups.get(first) ?? [];
    alike.push(stream);
    groups.set(first, alike);
  }
  return groups;
}
