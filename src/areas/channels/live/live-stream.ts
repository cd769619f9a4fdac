import { PassThrough } from 'node:stream';
import type { Principal } from '../../../platform/context/principal';
import type { LiveEvent } from './live-events';

/** What a stream is about: all that its caller sees, unless it says less. */
export interface LiveFilter {
  channel_id: number | null;
  thread_id: number | null;
}

/** Bytes that a client has not taken; it is let go then, and comes back for the rest. */
const MAX_WAITING = 262_144;
/** Back so soon. */
const RETRY_MS = 1_000;

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

  tell({ uid, type, body }: LiveEvent): void {
    this.write(`id: ${uid}\nevent: ${type}\ndata: ${body}\n\n`);
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

  /** Whoever takes nothing is let go. */
  private write(text: string): void {
    if (!this.output.writable) return;
    if (this.waiting > MAX_WAITING) this.output.destroy();
    else this.output.write(text);
  }
}
