import type { FastifyRequest } from 'fastify';

const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;

/**
 * Scheme and authority of absolute links: PUBLIC_URL, else what the client itself used. A Host header that is not a
 * plain host never reaches a link; `fallback` (host:port) stands in for it.
 */
export function linkBase(
  publicUrl: string | null,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  fallback: string,
): string {
  if (publicUrl !== null) return publicUrl;
  return `${request.protocol}://${HOST.test(request.host) ? request.host : fallback}`;
}
