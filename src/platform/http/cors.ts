import cors, { type FastifyCorsOptions, type FastifyCorsOptionsDelegate } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Config } from '../../config';
import { PREFIX } from './openapi';
import type { OriginRules } from './origin-rules';

/** Headers of answers that pages may read, beside those that browsers always show. */
export const EXPOSED_HEADERS = [
  'Allow',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-API-Version',
  'X-Quota-Limit',
  'X-Quota-Pct',
  'X-Quota-Status',
  'X-Quota-Used',
  'X-Quota-Warning',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
] as const;

const SILENT: FastifyCorsOptions = { origin: false };

/** What pages may ask for, whoever says which pages. */
const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE';
/** As long as Chromium believes an answer; Firefox takes up to a day. */
const MAX_AGE_SECONDS = 7_200;

/**
 * Lets pages of other origins call the API with a token in the header. Preflight requests are answered before any guard:
 * browsers send them without the token, and they count towards no limit. Where somebody else says which pages may call
 * (`OriginRules`), they alone are asked. Everything outside /v1 keeps its own rules. Requests that name no origin, which are nearly all,
 * only hear that their answer depends on it: what the package does for one costs more than the guards of a request together.
 */
export function registerCors(fastify: FastifyInstance, origins: Config['corsOrigins'], rules: OriginRules): void {
  const usual = optionsFor(origins === 'any' ? '*' : origins === 'none' ? false : [...origins]);
  const delegator: FastifyCorsOptionsDelegate = (request, done) => {
    const { origin } = request.headers;
    const allows = rules.of(request.url);
    if (origin === undefined || !request.url.startsWith(`${PREFIX}/`)) done(null, SILENT);
    else if (allows === null) done(null, origins === 'none' ? SILENT : asked(request, usual));
    else
      allows(request, origin).then(
        (isAllowed) => done(null, isAllowed ? asked(request, optionsFor([origin])) : SILENT),
        () => done(null, SILENT),
      );
  };
  forOrigins(fastify, { delegator });
}

/** The package, with its hook run for requests that name an origin, and for no others. */
function forOrigins(fastify: FastifyInstance, options: { delegator: FastifyCorsOptionsDelegate }): void {
  const addHook = (name: 'onRequest', hook: onRequestHookHandler): void => {
    fastify.addHook(name, function (request, reply, next) {
      if (request.headers.origin === undefined) {
        void reply.header('vary', 'Origin');
        next();
      } else hook.call(this, request, reply, next);
    });
  };
  cors(Object.create(fastify, { addHook: { value: addHook } }) as FastifyInstance, options, (error) => {
    if (error) throw error;
  });
}

function optionsFor(origin: NonNullable<FastifyCorsOptions['origin']>): FastifyCorsOptions {
  return { origin, methods: METHODS, exposedHeaders: EXPOSED_HEADERS.join(', '), maxAge: MAX_AGE_SECONDS };
}

function asked(request: FastifyRequest, options: FastifyCorsOptions): FastifyCorsOptions {
  return { ...options, preflight: isPreflight(request) };
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
