import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { EventStream } from './event-stream';

/** A stream of events, and the request that it answers. */
export interface OpenStream {
  readonly request: FastifyRequest;
  readonly stream: EventStream;
}

/** The streams of events that go on in this process until their clients leave. */
@Injectable()
export class OpenStreams implements Iterable<OpenStream> {
  private readonly streams = new Set<OpenStream>();
  private told: (opened: OpenStream) => void = () => undefined;

  /** @param told of each one that is opened from now on */
  onOpened(told: (opened: OpenStream) => void): void {
    this.told = told;
  }

  add(opened: OpenStream): void {
    this.streams.add(opened);
    opened.stream.output.once('close', () => this.streams.delete(opened));
    this.told(opened);
  }

  [Symbol.iterator](): Iterator<OpenStream> {
    return this.streams.values();
  }
}
