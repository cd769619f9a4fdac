import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { once } from 'node:events';
import { Server as TcpServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../errors/api-error';
import { writeCommonHeaders } from './request-hooks';

/** Nobody connected for so long: the load balancer has understood. */
const QUIET_MS = 250;
/** Clients that go on connecting are refused for so long; then the listener is closed all the same. */
const REFUSING_MS = 2000;
/** The same once refusals are held back: who connects now is not one of those who were refused before. */
const HELD_QUIET_MS = 100;
const HELD_MS = 1000;
/** In which a connection that was just made sends its request, and a refused request the rest of its body. */
const PATIENCE_MS = 1000;

const drains = new WeakMap<FastifyInstance, Drain>();

/**
 * Lets `close()` wait for requests in flight and for nothing else, and `refuseNew()` say goodbye to everybody else. Node
 * itself waits for connections: one that a client opened and never used, or keeps alive after its last answer, would
 * hold the process until a timeout.
 *
 * @param slowness how many times longer than usual clients are waited for: tests know how slow their machine is
 */
export function drainOnClose(fastify: FastifyInstance, slowness = 1): void {
  drains.set(fastify, new Drain(fastify, slowness));
}

/**
 * The polite part of an end: who connects from now on is answered 503 with `Retry-After` and `Connection: close`, and
 * requests on connections from before are still answered. Once nobody connects any more, or two seconds later, the
 * listener is closed, and who was still let in gets that answer. To be followed by `close()`.
 */
export async function refuseNew(fastify: FastifyInstance): Promise<void> {
  await drains.get(fastify)?.refuse();
}

class Drain {
  /** Open connections and how many requests each has in flight. */
  private readonly sockets = new Map<Socket, number>();
  /** Those made since the drain began. */
  private readonly late = new Set<Socket>();
  private refusing = false;
  private closing = false;
  private connectedAt = 0;
  /** Refusals wait for it. */
  private held = Promise.resolve();

  constructor(
    private readonly fastify: FastifyInstance,
    private readonly slowness: number,
  ) {
    fastify.server.on('connection', (socket: Socket) => this.connected(socket));
    fastify.addHook('onRequest', (request, reply, done) => {
      this.count(request.raw.socket, 1);
      reply.raw.once('close', () => {
        this.count(request.raw.socket, -1);
        this.settle(request.raw.socket);
      });
      if (this.late.has(request.raw.socket)) void refuseRequest(request, reply, this.held, PATIENCE_MS * slowness);
      else done();
    });
    fastify.addHook('onSend', (_request, reply, payload, done) => {
      if (this.closing || this.refusing) void reply.header('connection', 'close');
      done(null, payload);
    });
    fastify.addHook('preClose', (done) => {
      this.closing = true;
      for (const socket of this.sockets.keys()) this.settle(socket);
      done();
    });
  }

  async refuse(): Promise<void> {
    if (!this.fastify.server.listening) return;
    this.refusing = true;
    await this.quiet(QUIET_MS, REFUSING_MS);
    // The kernel resets who still waits to be accepted when the listener closes. Clients that come back as soon as they
    // are answered do so after that: for a moment they get no answer.
    let release: () => void = () => undefined;
    this.held = new Promise((resolve) => (release = resolve));
    await this.quiet(HELD_QUIET_MS, HELD_MS);
    // Not http's own close(): it also ends idle connections, on which a request may just be arriving.
    TcpServer.prototype.close.call(this.fastify.server, () => undefined);
    release();
    const patience = performance.now() + PATIENCE_MS * this.slowness;
    while (this.late.size > 0 && performance.now() < patience) await sleep(10);
  }

  /** Resolves when nobody has connected for `quietMs`, or after `mostMs`. */
  private async quiet(quietMs: number, mostMs: number): Promise<void> {
    this.connectedAt = performance.now();
    const deadline = this.connectedAt + mostMs * this.slowness;
    const left = (): number => Math.min(deadline, this.connectedAt + quietMs * this.slowness) - performance.now();
    // A timer's turn comes before the sockets': those that were made before it ended count, too.
    for (let wait = left(); wait > 0; await new Promise(setImmediate), wait = left()) await sleep(wait);
  }

  private connected(socket: Socket): void {
    this.connectedAt = performance.now();
    this.sockets.set(socket, 0);
    if (this.refusing) this.late.add(socket);
    socket.once('close', () => {
      this.sockets.delete(socket);
      this.late.delete(socket);
    });
    this.settle(socket);
  }

  private count(socket: Socket, difference: number): void {
    const requests = this.sockets.get(socket);
    if (requests !== undefined) this.sockets.set(socket, requests + difference);
  }

  private settle(socket: Socket): void {
    // Ended, not destroyed: the last answer may still be on its way out.
    if (this.closing && this.sockets.get(socket) === 0) socket.destroySoon();
  }
}

/** Nothing of the request is looked at, but all of it is read: closing a connection with unread bytes resets it, answer included. */
async function refuseRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  held: Promise<void>,
  patienceMs: number,
): Promise<void> {
  await held;
  request.raw.resume();
  if (!request.raw.complete) {
    const patience = AbortSignal.timeout(Math.ceil(patienceMs));
    await once(request.raw, 'end', { signal: patience }).catch(() => undefined);
  }
  const error = new ApiError('service_unavailable', 'The service is being restarted; try again in a moment.');
  writeCommonHeaders(request, reply);
  await reply
    .status(error.status)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'retry-after': '1' })
    .send(JSON.stringify(error.body(request.id)));
}
