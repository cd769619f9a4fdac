import type { FastifyRequest } from 'fastify';

const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;

/**
 * Scheme and authority of the links in an answer to where its own asker may go on (the next page): PUBLIC_URL, else what the client itself used. A Host header that is not a
 * plain host never reaches a link; `fallback` (host:port) stands in for it.
 * Whatever is stored or sent to anybody else is made with `ServiceAddress` instead.
 */
export function linkBase(
  publicUrl: string | null,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
  fallback: string,
): string {
  return publicUrl ?? originOf(request) ?? `${request.protocol}://${fallback}`;
}

/** Scheme and authority that a client used; null when its Host header is no plain host. */
export function originOf(request: Pick<FastifyRequest, 'protocol' | 'host'>): string | null {
  return HOST.test(request.host) ? `${request.protocol}://${request.host}` : null;
}
