import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../config';
import { PREFIX } from './openapi';

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

/**
 * Lets pages of other origins call the API with a token in the header. Preflight requests are answered before any guard:
 * browsers send them without the token, and they count towards no limit. Everything outside /v1 keeps its own rules.
 */
export async function registerCors(fastify: FastifyInstance, origins: Config['corsOrigins']): Promise<void> {
  if (origins === 'none') return;
  const allowed: FastifyCorsOptions = {
    origin: origins === 'any' ? '*' : [...origins],
    methods: 'GET, HEAD, POST, PATCH, DELETE',
    exposedHeaders: EXPOSED_HEADERS.join(', '),
    // As long as Chromium believes an answer; Firefox takes up to a day.
    maxAge: 7_200,
    preflight: false,
  };
  const preflight: FastifyCorsOptions = { ...allowed, preflight: true };
  await fastify.register(cors, {
    delegator: (request, done) => {
      done(null, !isAsked(request) ? SILENT : isPreflight(request) ? preflight : allowed);
    },
  });
}

function isAsked({ url, headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && url.startsWith(`${PREFIX}/`);
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
