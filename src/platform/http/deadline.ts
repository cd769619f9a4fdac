import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error';

/**
 * Answers 503 to a request whose handler takes longer than `limitMs`. One timer looks at all requests in flight, oldest
 * first: Fastify's own `handlerTimeout` arms a timer and an abort controller for every single one.
 */
export function limitHandlers(fastify: FastifyInstance, limitMs: number): void {
  const pending = new Map<FastifyReply, number>();
  fastify.addHook('onRequest', (_request, reply, done) => {
    pending.set(reply, performance.now());
    done();
  });
  fastify.addHook('onResponse', (_request, reply, done) => {
    pending.delete(reply);
    done();
  });
  const timer = setInterval(
    () => {
      const overdue = performance.now() - limitMs;
      for (const [reply, since] of pending) {
        if (since > overdue) return;
        pending.delete(reply);
        if (!reply.sent && !reply.raw.destroyed) void reply.send(tooSlow());
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

function tooSlow(): ApiError {
  return new ApiError('service_unavailable', 'The request took too long; try again.', {
    headers: { 'Retry-After': '1' },
  });
}
