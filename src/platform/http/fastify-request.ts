import type { Context } from '../context/current';
import type { ApiError } from '../errors/api-error';
import type { ErrorAnswer } from './error-answer';
import type { UploadBody } from './upload/upload-body';
import type { UploadRules } from './upload/upload-options';

declare module 'fastify' {
  interface FastifyRequest {
    /** The context of this request, also reachable where AsyncLocalStorage is not entered (hooks, filters). */
    helpdesk: Context;
    /** The body exactly as received; null when there was none. */
    rawBody: Buffer | null;
    /** Why the body could not be read. Thrown by the validation pipe, so that 401, 403 and 429 come first. */
    bodyFailure: ApiError | null;
    /** The `Content-Type` of a route with `@Upload`, as it was sent; empty elsewhere. */
    uploadType: string;
    /** The body of a route with `@Upload`, from the syntax guard on. */
    upload: UploadBody | null;
    /** Its place among the requests that a deadline is kept for. */
    inFlight: number;
  }

  interface FastifyContextConfig {
    upload?: UploadRules;
    /** It answers files of users. */
    servesFiles?: boolean;
    /** It answers a script of this service that pages of any origin load, and may keep for a while. */
    servesScript?: boolean;
    /** Its body is whatever it is, at most 1 MiB: `rawBody`, which the handler verifies and reads. */
    takesBytes?: boolean;
    /** How its errors are written, where a protocol has a form of its own for them. */
    answersErrors?: (error: ApiError) => { status: number } & ErrorAnswer;
  }
}
