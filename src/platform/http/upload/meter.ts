import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { ApiError } from '../../errors/api-error';
import type { UploadRules } from './upload-options';

/** Silence of a sender who is being listened to. A unit of work that waits for 15 seconds is given up by PostgreSQL. */
const SILENCE_MS = 10_000;
const WATCH_MS = 1_000;

/**
 * Bytes as they arrive, no more of them and no longer than the rules allow. It ends, or fails with an ApiError; the request itself
 * is left open, so that there is somebody to answer to.
 */
export class Meter extends Transform {
  private bytes = 0;
  private movedAt = performance.now();

  constructor(
    source: IncomingMessage,
    private readonly rules: UploadRules,
    private readonly silenceMs = SILENCE_MS,
  ) {
    super();
    const until = performance.now() + rules.withinSeconds * 1000;
    const watch = setInterval(() => this.watch(until), Math.min(WATCH_MS, silenceMs / 4)).unref();
    const gone = (): void => {
      if (!source.complete) this.destroy(cutOff());
    };
    source.once('error', gone).once('close', gone);
    // Gone before anybody began to read.
    if (source.destroyed) process.nextTick(gone);
    // Who is not reading just now hears of it when reading goes on.
    this.on('error', () => undefined);
    this.once('close', () => {
      clearInterval(watch);
      source.off('close', gone);
    });
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.movedAt = performance.now();
    this.bytes += chunk.length;
    if (this.bytes > this.rules.maxBytes) done(tooLarge(this.rules.maxBytes));
    else done(null, chunk);
  }

  private watch(until: number): void {
    const now = performance.now();
    // It is the reader who is slow.
    if (this.writableNeedDrain) this.movedAt = now;
    if (now > until) this.destroy(tooSlow(`The body did not arrive within ${this.rules.withinSeconds} seconds.`));
    else if (now - this.movedAt > this.silenceMs) this.destroy(tooSlow('The sender of the body fell silent.'));
  }
}

/** @param limit in bytes */
export function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', `The body is larger than ${limit} bytes.`);
}

/** The sender is gone, or has been answered. */
export function cutOff(): ApiError {
  return new ApiError('validation_error', 'The body ended before it was complete.');
}

function tooSlow(message: string): ApiError {
  return new ApiError('request_timeout', message);
}
