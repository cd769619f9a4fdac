import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error';
import './fastify-request';
import { InFlight } from './in-flight';

/** Longest time for a request to arrive. */
export const ARRIVAL_LIMIT_MS = 15_000;
/** What is still arriving after its answer is read and forgotten for so long, so that the sender gets to reading the answer. */
const LINGER_MS = 5_000;

interface Pending {
  request: FastifyRequest;
  reply: FastifyReply;
  since: number;
  /** Answered for being late. */
  ended: boolean;
}

/**
 * Answers 503 to a request whose handler takes longer than `limitMs`, and 408 to one that takes longer than 15 seconds to arrive;
 * routes with `@Upload` have as much longer for both as they say. One timer looks at all requests in flight:
 * Fastify's own `handlerTimeout` arms a timer and an abort controller for every single one.
 */
export function limitRequests(fastify: FastifyInstance, limitMs: number, arrivalMs = ARRIVAL_LIMIT_MS): void {
  const pending = new InFlight<Pending>();
  fastify.decorateRequest('inFlight', -1);
  const soonest = Math.min(limitMs, arrivalMs);
  fastify.addHook('onRoute', ({ config }) => {
    // Node ends what takes longer to arrive, whatever the route: it must wait for the slowest. The others are ours to end then.
    const needed = (config?.upload?.withinSeconds ?? 0) * 1000 + arrivalMs;
    fastify.server.requestTimeout = Math.max(fastify.server.requestTimeout, needed);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    request.inFlight = pending.enter({ request, reply, since: performance.now(), ended: false });
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    pending.leave(request.inFlight);
    if (!request.raw.complete) linger(request.raw);
    done();
  });
  const timer = setInterval(
    () => {
      const now = performance.now();
      for (const one of pending) {
        const { request, reply, since, ended } = one;
        if (ended || now - since <= soonest) continue;
        const took = now - since - (request.routeOptions.config.upload?.withinSeconds ?? 0) * 1000;
        const isLate = took > arrivalMs && !request.raw.complete;
        if (!isLate && took <= limitMs) continue;
        one.ended = true;
        // An answer that has begun is as long as it is: the connection's own time-out ends one that nobody takes.
        if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) continue;
        void reply.send(isLate ? tooLate() : tooSlow());
      }
    },
    Math.min(1_000, limitMs / 4),
  );
  timer.unref();
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(timer);
    done();
  });
}

/** Node reads on by itself only where nobody had begun to. */
function linger(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}

function tooLate(): ApiError {
  return new ApiError('request_timeout', 'The request did not arrive in time.', { headers: { Connection: 'close' } });
}

function tooSlow(): ApiError {
  return new ApiError('service_unavailable', 'The request took too long; try again.', {
    headers: { 'Retry-After': '1' },
  });
}
