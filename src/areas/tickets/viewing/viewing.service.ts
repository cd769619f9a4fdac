import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { currentAccess, currentWorkspaceId } from '../../../platform/context/current';
import { eventFrame, EventStream } from '../../../platform/http/streams/event-stream';
import { Seats } from '../../../platform/http/streams/seats';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { Ticket } from '../ticket.entity';
import { type Session, type Viewers, viewersOf } from './viewers';
import { KEPT_MS, type Place, ViewingBoard } from './viewing-board';

/** Streams of one token, and of this process. */
export const MAX_PER_TOKEN = 10;
const SEATS = { token: MAX_PER_TOKEN, process: 1_000 };
/** How often sessions are renewed, and others looked for. */
const EVERY_MS = KEPT_MS / 5;
/** Bytes that a client has not taken: what piles up is long untrue. */
const MAX_WAITING = 16_384;

/** One that tells who looks, and whose caller does. */
class ViewingStream extends EventStream {
  constructor(readonly session: Session) {
    super(MAX_WAITING);
  }
}

/** A ticket that somebody looks at through this process. */
interface Room extends Place {
  streams: Set<ViewingStream>;
  /** What was told last. */
  shown: string;
}

/**
 * Tells who looks at a ticket, as long as they do: a stream is both the asking and the being there. No connection of a pool is held
 * meanwhile; one timer serves all streams of the process.
 */
@Injectable()
export class Viewing implements OnModuleDestroy {
  private readonly rooms = new Map<string, Room>();
  private timer: NodeJS.Timeout | null = null;
  private readonly seats = new Seats(SEATS);
  private closing = false;

  constructor(
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly board: ViewingBoard,
  ) {}

  /** Ahead of the listener's end, which waits for answers that are under way. */
  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    this.seats.close();
    const rooms = [...this.rooms.values()];
    const left = rooms.map((room) => ({ room, sessions: [...room.streams].map(({ session }) => session) }));
    for (const room of rooms) for (const stream of room.streams) stream.end();
    await Promise.all(left.map(({ room, sessions }) => this.board.leave(room, sessions)));
    this.board.close();
  }

  /** Who looks at a ticket; 404. */
  async viewers(ticketId: number): Promise<Viewers> {
    await this.tickets.require(ticketId);
    const place = { workspaceId: currentWorkspaceId(), ticketId };
    return viewersOf(await this.board.renew(place, sessionsOf(this.rooms.get(nameOf(place)))));
  }

  /** A stream of who looks at a ticket, the caller among them until it ends; 404, 429 and 503. */
  async watch(ticketId: number): Promise<EventStream> {
    await this.tickets.require(ticketId);
    const { token, user } = currentAccess();
    const workspaceId = currentWorkspaceId();
    const giveBack = this.seats.take(token.id, workspaceId);
    const { id, name } = user ?? token;
    const type = user ? 'user' : 'token';
    const stream = new ViewingStream({ key: randomUUID(), type, id, name, since: new Date().toISOString() });
    stream.output.once('close', giveBack);
    this.enter({ workspaceId, ticketId }, stream);
    return stream;
  }

  private enter(place: Place, stream: ViewingStream): void {
    const name = nameOf(place);
    const room = this.rooms.get(name) ?? { ...place, streams: new Set(), shown: '' };
    this.rooms.set(name, room);
    room.streams.add(stream);
    this.timer ??= setInterval(() => void this.round(), EVERY_MS).unref();
    stream.output.once('close', () => void this.leave(name, room, stream));
    room.shown = '';
    void this.refresh(room);
  }

  private async leave(name: string, room: Room, stream: ViewingStream): Promise<void> {
    if (!room.streams.delete(stream)) return;
    if (room.streams.size === 0) this.rooms.delete(name);
    if (this.rooms.size === 0 && this.timer) {
      clearInterval(this.timer);
      this.timer = null;
    }
    await this.board.leave(room, [stream.session]);
    await this.refresh(room);
  }

  private async round(): Promise<void> {
    await Promise.all([...this.rooms.values()].map((room) => this.refresh(room)));
    for (const { streams } of this.rooms.values()) for (const stream of streams) stream.look();
  }

  private async refresh(room: Room): Promise<void> {
    if (room.streams.size === 0 || this.closing) return;
    const told = eventFrame('viewers', viewersOf(await this.board.renew(room, sessionsOf(room))));
    if (told === room.shown) return;
    room.shown = told;
    for (const stream of room.streams) stream.write(told);
  }
}

const nameOf = ({ workspaceId, ticketId }: Place): string => `${workspaceId} ${ticketId}`;

const sessionsOf = (room: Room | undefined): Session[] => [...(room?.streams ?? [])].map(({ session }) => session);
