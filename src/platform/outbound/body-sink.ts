import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { CappedText } from './capped-text';
import { type OutboundCause, OutboundFailure } from './outbound-result';
import type { OutboundProfile } from './profile';

/** Takes the body of an answer as it comes. */
export interface BodySink {
  /** The answer has begun; `stop` ends the exchange for a reason. */
  begin(response: IncomingMessage, stop: (cause: OutboundCause) => void): void;
  /** A part of it; `enough` when the rest is not wanted, or why it cannot go on. */
  accept(chunk: Buffer): 'enough' | OutboundCause | null;
}

/** Keeps the beginning as text. */
export class TextSink implements BodySink {
  private readonly kept: CappedText;

  constructor(private readonly profile: Pick<OutboundProfile, 'maxBodyBytes' | 'overflow' | 'keptBodyBytes'>) {
    this.kept = new CappedText(profile.keptBodyBytes);
  }

  begin(): void {
    // Nothing to prepare.
  }

  accept(chunk: Buffer): 'enough' | OutboundCause | null {
    this.kept.add(chunk);
    const { maxBodyBytes, overflow } = this.profile;
    if (overflow === 'cut') return this.kept.total >= maxBodyBytes ? 'enough' : null;
    return this.kept.total > maxBodyBytes ? 'too_large' : null;
  }

  text(): string {
    return this.kept.text();
  }
}

/**
 * The body as a stream: the other side waits while nobody reads. It fails with `OutboundFailure` when the answer breaks
 * off, stays silent, takes too long or grows too large; destroying it ends the connection.
 */
export class StreamSink extends Readable implements BodySink {
  private response: IncomingMessage | null = null;
  private stop: (cause: OutboundCause) => void = () => undefined;
  private total = 0;
  private silence: NodeJS.Timeout | null = null;

  /** @param begun is told when the answer has begun */
  constructor(
    private readonly profile: Pick<OutboundProfile, 'maxBodyBytes' | 'overflow' | 'silenceMs'>,
    private readonly begun: (response: IncomingMessage) => void,
  ) {
    super();
  }

  begin(response: IncomingMessage, stop: (cause: OutboundCause) => void): void {
    this.response = response;
    this.stop = stop;
    this.listen();
    this.begun(response);
  }

  accept(chunk: Buffer): 'enough' | OutboundCause | null {
    const { maxBodyBytes, overflow } = this.profile;
    const room = maxBodyBytes - this.total;
    this.total += chunk.length;
    if (this.total > maxBodyBytes && overflow === 'refuse') return 'too_large';
    const wantsMore = this.push(chunk.subarray(0, room));
    if (this.total >= maxBodyBytes && overflow === 'cut') return 'enough';
    if (wantsMore) this.listen();
    else this.hold();
    return null;
  }

  /** The exchange is over; null = all of it came. */
  finish(cause: OutboundCause | null): void {
    this.clear();
    if (this.destroyed) return;
    if (cause === null) this.push(null);
    else this.destroy(new OutboundFailure(cause));
  }

  override _read(): void {
    if (this.response?.isPaused() !== true) return;
    this.listen();
    this.response.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.clear();
    this.stop('reset');
    done(error);
  }

  /** The reader is busy: silence is its own. */
  private hold(): void {
    this.clear();
    this.response?.pause();
  }

  private listen(): void {
    this.clear();
    this.silence = setTimeout(() => this.stop('timeout'), this.profile.silenceMs).unref();
  }

  private clear(): void {
    if (this.silence) clearTimeout(this.silence);
    this.silence = null;
  }
}
