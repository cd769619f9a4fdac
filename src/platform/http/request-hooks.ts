import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { CAUSATION_DEPTH, CAUSATION_ROOT, handedOn } from '../context/causation';
import { type Context, newContext, runInContext } from '../context/current';
import { neutraliseContentType } from './body-reader';
import { pathOf } from './exception.filter';
import './fastify-request';
import { limitHeaders } from './limit-headers';
import { plainLog } from './logger';
import { securityHeaders } from './security-headers';
import { awaitsContinue } from './upload/upload-body';

/** Fills the figures of a request that the guards of the limits did not see, counting it where it counts. */
export type SettleLimits = (context: Context, status: number) => Promise<void>;

/** Context, headers and access log of every request, whoever answers it. */
export function registerRequestHooks(fastify: FastifyInstance, logger: Logger, settleLimits: SettleLimits): void {
  fastify.decorateRequest('rawBody', null);
  fastify.decorateRequest('bodyFailure', null);
  fastify.decorateRequest('uploadType', '');
  fastify.decorateRequest('upload', null);
  fastify.decorateRequest('helpdesk');
  fastify.addHook('onRequest', (request, reply, done) => {
    request.helpdesk = newContext(request.id, { clientAddress: request.ip });
    const depth = request.headers[CAUSATION_DEPTH];
    if (depth !== undefined) request.helpdesk.causation = handedOn(depth, request.headers[CAUSATION_ROOT]);
    neutraliseContentType(request);
    // Uploads are asked for when the guards have passed them.
    if (awaitsContinue(request.raw) && !request.routeOptions.config.upload) reply.raw.writeContinue();
    done();
  });
  // Entered here and not in onRequest: reading the body leaves the asynchronous scope that onRequest ran in.
  fastify.addHook('preValidation', (request, _reply, done) => {
    runInContext(request.helpdesk, done);
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    writeCommonHeaders(request, reply);
    // Closing on a sender who is not done would take the answer away, too; `deadline.ts` waits a moment.
    if (!request.raw.complete && request.routeOptions.config.upload) reply.raw.shouldKeepAlive = true;
    const context = contextOf(request);
    if (!context?.access || reply.hasHeader('x-ratelimit-limit')) {
      done(null, payload);
      return;
    }
    const settled = context.quotaUsed === null ? settleLimits(context, reply.statusCode) : Promise.resolve();
    settled
      .catch(() => undefined)
      .finally(() => {
        writeLimitHeaders(request, reply);
        done(null, payload);
      });
  });
  const accessLog = plainLog(logger);
  fastify.addHook('onResponse', (request, reply, done) => {
    logAccess(accessLog, request, reply);
    done();
  });
}

/** Writes the rate and quota headers once the guards have let a request through. */
export function writeLimitHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const { access, quotaUsed, ownRate, rateRemaining, rateResetSeconds } = request.helpdesk;
  if (!access) return;
  void reply.headers(limitHeaders({ plan: access.plan, quotaUsed, ownRate, rateRemaining, rateResetSeconds }));
}

/** Headers of every answer, with or without a token. */
export function writeCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .header('x-request-id', request.id)
    .header('x-api-version', 'v1')
    .headers(securityHeaders(request.url, request.routeOptions.config))
    .header('vary', varying(reply.getHeader('vary')));
}

/** What an answer depends on, beside what others (CORS, problem documents) have said already. */
function varying(said: unknown): string {
  if (typeof said !== 'string' || said === '') return 'accept-encoding';
  return said.toLowerCase().includes('accept-encoding') ? said : `${said}, accept-encoding`;
}

/** Undefined when the adapter's own hooks answered before ours ran. */
function contextOf(request: FastifyRequest): Context | undefined {
  return request.helpdesk;
}

function logAccess(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (!logger.isLevelEnabled('info')) return;
  const context = contextOf(request);
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
