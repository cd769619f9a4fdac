import type { FastifyRequest } from 'fastify';
import { PassThrough } from 'node:stream';
import { StreamResult } from '../results';

export const EVENT_STREAM = 'text/event-stream';

/** What stands in between must not wait for more. */
const HEADERS = { 'content-type': `${EVENT_STREAM}; charset=utf-8`, vary: 'accept', 'x-accel-buffering': 'no' };

/** A stream ends after so long; its client comes back and is asked anew who it is and what it sees. */
export const LIFE_MS = 5 * 60_000;
/** Who has not read the end by then is let go. */
const GRACE_MS = 30_000;
/** Nothing was said for so long: a sign of life, ahead of what proxies take for an end. */
const QUIET_MS = 12_000;
/** Back so soon. */
const RETRY_MS = 1_000;

/** Whether a client asks to be told on, not once. HEAD asks for no stream: nobody would end it. */
export function asksForStream({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return method === 'GET' && headers.accept?.includes(EVENT_STREAM) === true;
}

/** A stream as the answer of a request. */
export function streamAnswer(stream: EventStream): StreamResult {
  return new EventStreamResult(stream);
}

/**
 * One event as a stream tells it (HTML, 9.2 Server-sent events).
 *
 * @param data an object, or its JSON text; either has no line breaks
 * @param id what the client sends as `Last-Event-ID` when it comes back
 */
export function eventFrame(event: string, data: object | string, id?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${text}\n\n`;
}

/** One open stream of server-sent events: what is written is read by one client. Whoever opens it looks after it with `look`. */
export class EventStream {
  readonly output: PassThrough;
  private endsAt: number;
  private spokeAt = performance.now();

  /** @param maxWaiting bytes that a client has not taken: the stream ends with them, and the client comes back for the rest */
  constructor(
    readonly maxWaiting: number,
    lifeMs = LIFE_MS,
  ) {
    this.output = new PassThrough({ highWaterMark: 16_384 });
    this.endsAt = this.spokeAt + lifeMs;
    this.output.on('error', ignore);
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Bytes that were written and not taken. */
  get waiting(): number {
    return this.output.readableLength + this.output.writableLength;
  }

  /** @param frames as `eventFrame` makes them; bytes may be shared by all streams that are told the same */
  write(frames: string | Buffer): void {
    if (!this.output.writable) return;
    this.output.write(frames);
    this.spokeAt = performance.now();
    if (this.waiting > this.maxWaiting) this.end();
  }

  /** Ends it behind what was written, and `last`. */
  end(last?: string): void {
    if (!this.output.writable) return;
    this.endsAt = Math.min(this.endsAt, performance.now());
    this.output.end(last);
  }

  /** To be called every few seconds: gives a sign of life, ends what has lived its time, and lets go who does not read. */
  look(now = performance.now()): void {
    if (this.endsAt + GRACE_MS <= now) this.output.destroy();
    else if (this.endsAt <= now) this.end();
    else if (this.spokeAt + QUIET_MS <= now) this.write(':\n\n');
  }
}

/** A stream of events: one that is read (`GET`) ends when its caller may no longer read it (`OpenStreams`). */
export class EventStreamResult extends StreamResult {
  constructor(readonly stream: EventStream) {
    super(200, HEADERS, stream.output);
  }
}

function ignore(): void {
  // Whoever went away is not told more; there is nobody to tell of it.
}
