import type { Context } from '../context/current';
import type { ApiError } from '../errors/api-error';

declare module 'fastify' {
  interface FastifyRequest {
    /** The context of this request, also reachable where AsyncLocalStorage is not entered (hooks, filters). */
    helpdesk: Context;
    /** The body exactly as received; null when there was none. */
    rawBody: Buffer | null;
    /** Why the body could not be read. Thrown by the validation pipe, so that 401, 403 and 429 come first. */
    bodyFailure: ApiError | null;
  }
}
