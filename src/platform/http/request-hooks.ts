import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { newContext, runInContext } from '../context/current';
import { neutraliseContentType } from './body-reader';
import { pathOf } from './exception.filter';
import './fastify-request';
import { limitHeaders } from './limit-headers';
import { securityHeaders } from './security-headers';

/** Counts a request that was refused before the quota guard saw it, and fills `context.quotaUsed`. */
export type CountUnchecked = (context: FastifyRequest['helpdesk']) => void;

/** Context, headers and access log of every request, whoever answers it. */
export function registerRequestHooks(fastify: FastifyInstance, logger: Logger, countUnchecked: CountUnchecked): void {
  fastify.decorateRequest('rawBody', null);
  fastify.decorateRequest('bodyFailure', null);
  fastify.decorateRequest('helpdesk');
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.helpdesk = newContext(request.id);
    neutraliseContentType(request);
    done();
  });
  // Entered here and not in onRequest: reading the body leaves the asynchronous scope that onRequest ran in.
  fastify.addHook('preValidation', (request, _reply, done) => {
    runInContext(request.helpdesk, done);
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    writeCommonHeaders(request, reply);
    if (!reply.hasHeader('x-ratelimit-limit')) writeHeadersOfRefused(request, reply, countUnchecked);
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    logAccess(logger, request, reply);
    done();
  });
}

/** Writes the rate and quota headers once the guards have let a request through. */
export function writeLimitHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const { access, quotaUsed, rateRemaining } = request.helpdesk;
  if (access) void reply.headers(limitHeaders({ plan: access.plan, quotaUsed, rateRemaining }));
}

/** Headers of every answer, with or without a token. */
export function writeCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id).header('x-api-version', 'v1').headers(securityHeaders(request.url));
}

function writeHeadersOfRefused(request: FastifyRequest, reply: FastifyReply, countUnchecked: CountUnchecked): void {
  // Adapter hooks may answer before our onRequest ran.
  const context = request.helpdesk as FastifyRequest['helpdesk'] | undefined;
  if (!context?.access) return;
  if (context.quotaUsed === null && reply.statusCode !== 429) countUnchecked(context);
  writeLimitHeaders(request, reply);
}

function logAccess(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!logger.isLevelEnabled('info')) return;
  const context = request.helpdesk as FastifyRequest['helpdesk'] | undefined;
  logger.info({
    request_id: request.id,
    method: request.method,
    path: pathOf(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    workspace_id: context?.workspaceId ?? null,
    token_id: context?.access?.token.id ?? null,
  });
}
