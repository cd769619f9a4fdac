const SLASH = 47;

/**
 * The URL by which the rest of the service knows a request: `/v1/tickets/?page=2` is `/v1/tickets?page=2`. Only below /v1
 * and /ready: pages and the documentation have addresses of their own.
 */
export function withoutTrailingSlash(url: string): string {
  const mark = url.indexOf('?');
  const end = mark === -1 ? url.length : mark;
  if (url.charCodeAt(end - 1) !== SLASH || !(url.startsWith('/v1/') || url.startsWith('/ready/'))) return url;
  return url.slice(0, end - 1) + url.slice(end);
}
