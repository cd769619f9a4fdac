import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { currentAccess, currentWorkspaceId } from '../../../platform/context/current';
import { ApiError } from '../../../platform/errors/api-error';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { Ticket } from '../ticket.entity';
import { frame, type Session, type Viewers, viewersOf } from './viewers';
import { KEPT_MS, type Place, ViewingBoard } from './viewing-board';

/** Streams of one token, and of this process. */
export const MAX_PER_TOKEN = 10;
const MAX_STREAMS = 1_000;
/** How often sessions are renewed, and others looked for. */
const EVERY_MS = KEPT_MS / 5;
/** Nothing else was sent for so many rounds: a sign of life. */
const HEARTBEAT_ROUNDS = 4;
/** A stream ends after so long; its client comes back and is asked anew who it is and what it sees. */
const LIFE_MS = 5 * 60_000;
/** Back so soon. */
const RETRY_MS = 1_000;
/** Bytes that a client has not taken; it is told no more then. */
const MAX_WAITING = 16_384;

interface Stream {
  session: Session;
  tokenId: number;
  output: PassThrough;
  endsAt: number;
}

/** A ticket that somebody looks at through this process. */
interface Room extends Place {
  streams: Set<Stream>;
  /** What was told last. */
  shown: string;
  quietRounds: number;
}

/**
 * Tells who looks at a ticket, as long as they do: a stream is both the asking and the being there. No connection of a pool is held
 * meanwhile; one timer serves all streams of the process.
 */
@Injectable()
export class Viewing implements OnModuleDestroy {
  private readonly rooms = new Map<string, Room>();
  private timer: NodeJS.Timeout | null = null;
  private open = 0;
  private closing = false;

  constructor(
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly board: ViewingBoard,
  ) {}

  /** Ahead of the listener's end, which waits for answers that are under way. */
  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    const rooms = [...this.rooms.values()];
    const left = rooms.map((room) => ({ room, sessions: [...room.streams].map(({ session }) => session) }));
    for (const room of rooms) for (const stream of room.streams) stream.output.end();
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
  async watch(ticketId: number): Promise<Readable> {
    await this.tickets.require(ticketId);
    const { token, user } = currentAccess();
    this.requireRoom(token.id);
    const { id, name } = user ?? token;
    const session: Session = {
      key: randomUUID(),
      type: user ? 'user' : 'token',
      id,
      name,
      since: new Date().toISOString(),
    };
    const stream: Stream = { session, tokenId: token.id, output: new PassThrough(), endsAt: Date.now() + LIFE_MS };
    this.enter({ workspaceId: currentWorkspaceId(), ticketId }, stream);
    return stream.output;
  }

  private requireRoom(tokenId: number): void {
    const headers = { 'Retry-After': '5' };
    if (this.closing)
      throw new ApiError('service_unavailable', 'The service is being restarted; try again.', { headers });
    const all = [...this.rooms.values()].flatMap(({ streams }) => [...streams]);
    if (all.filter((stream) => stream.tokenId === tokenId).length >= MAX_PER_TOKEN)
      throw new ApiError('rate_limit_exceeded', `A token has at most ${MAX_PER_TOKEN} streams; end one.`, { headers });
    if (this.open >= MAX_STREAMS)
      throw new ApiError('service_unavailable', 'Too many streams are open; try again.', { headers });
  }

  private enter(place: Place, stream: Stream): void {
    const name = nameOf(place);
    const room = this.rooms.get(name) ?? { ...place, streams: new Set(), shown: '', quietRounds: 0 };
    this.rooms.set(name, room);
    room.streams.add(stream);
    this.open++;
    this.timer ??= setInterval(() => void this.round(), EVERY_MS).unref();
    stream.output.once('close', () => void this.leave(name, room, stream));
    stream.output.on('error', () => undefined);
    stream.output.write(`retry: ${RETRY_MS}\n\n`);
    room.shown = '';
    void this.refresh(room);
  }

  private async leave(name: string, room: Room, stream: Stream): Promise<void> {
    if (!room.streams.delete(stream)) return;
    this.open--;
    if (room.streams.size === 0) this.rooms.delete(name);
    if (this.rooms.size === 0 && this.timer) {
      clearInterval(this.timer);
      this.timer = null;
    }
    await this.board.leave(room, [stream.session]);
    await this.refresh(room);
  }

  private async round(): Promise<void> {
    const now = Date.now();
    await Promise.all([...this.rooms.values()].map((room) => this.refresh(room)));
    for (const { streams } of this.rooms.values()) {
      for (const { output, endsAt } of streams) {
        // Whoever takes nothing would only pile up what is long untrue.
        if (output.readableLength > MAX_WAITING) output.destroy();
        else if (endsAt <= now) output.end();
      }
    }
  }

  private async refresh(room: Room): Promise<void> {
    if (room.streams.size === 0 || this.closing) return;
    const told = frame('viewers', viewersOf(await this.board.renew(room, sessionsOf(room))));
    const isNews = told !== room.shown;
    room.quietRounds = isNews ? 0 : room.quietRounds + 1;
    room.shown = told;
    const text = isNews ? told : room.quietRounds % HEARTBEAT_ROUNDS === 0 ? ':\n\n' : null;
    if (text === null) return;
    for (const { output } of room.streams) if (output.writable) output.write(text);
  }
}

const nameOf = ({ workspaceId, ticketId }: Place): string => `${workspaceId} ${ticketId}`;

const sessionsOf = (room: Room | undefined): Session[] => [...(room?.streams ?? [])].map(({ session }) => session);
