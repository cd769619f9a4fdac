import { PassThrough } from 'node:stream';
import type { Principal } from '../../../platform/context/principal';
import type { LiveEvent } from './live-events';

/** What a stream is about: all that its caller sees, unless it says less. */
export interface LiveFilter {
  channel_id: number | null;
  thread_id: number | null;
}

/** Bytes that a client has not taken; the stream ends with them, and the client comes back for the rest. */
export const MAX_WAITING = 262_144;
/** Back so soon. */
const RETRY_MS = 1_000;

/** An event as a stream tells it; JSON has no line breaks. */
export function frameOf({ uid, type, body }: LiveEvent): Buffer {
  return Buffer.from(`id: ${uid}\nevent: ${type}\ndata: ${body}\n\n`);
}

/** One open stream of server-sent events (HTML): what is written here is read by one client. */
export class LiveStream {
  readonly output = new PassThrough({ highWaterMark: 16_384 });

  constructor(
    readonly principal: Principal,
    private readonly filter: LiveFilter,
    readonly endsAt: number,
  ) {
    this.output.on('error', () => undefined);
    this.output.write(`retry: ${RETRY_MS}\n\n`);
  }

  wants({ channel_id, thread_id }: LiveEvent): boolean {
    const { filter } = this;
    if (filter.channel_id !== null && filter.channel_id !== channel_id) return false;
    return filter.thread_id === null || filter.thread_id === thread_id;
  }

  /** @param frames as `frameOf` makes them; the bytes are shared by all streams that are told the same */
  tell(frames: Buffer): void {
    this.write(frames);
  }

  /** Too much was missed, or it is not known what: what the client has is to be read anew. */
  reset(): void {
    this.write('event: reset\ndata: {}\n\n');
  }

  beat(): void {
    this.write(':\n\n');
  }

  /** Bytes that were written and not taken. */
  get waiting(): number {
    return this.output.readableLength + this.output.writableLength;
  }

  /** Whoever has enough to read is told no more. */
  private write(text: string | Buffer): void {
    if (!this.output.writable) return;
    this.output.write(text);
    if (this.waiting > MAX_WAITING) this.output.end();
  }
}
