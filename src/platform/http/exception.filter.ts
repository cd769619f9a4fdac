import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { toApiError } from '../database/database-errors';
import { errorAnswer } from './error-answer';
import { ApiError, type ErrorType } from '../errors/api-error';
import './fastify-request';
import { errorPage, isPage } from './public-page';
import { varyBy } from './vary';

const BY_STATUS: Readonly<Record<number, [type: ErrorType, message: string]>> = {
  400: ['validation_error', 'The request is malformed.'],
  401: ['unauthorized', 'A valid bearer token is required.'],
  403: ['insufficient_scope', 'The token does not allow this.'],
  404: ['not_found', 'There is no such path.'],
  405: ['method_not_allowed', 'This path does not answer that method.'],
  413: ['payload_too_large', 'The body is too large.'],
  414: ['not_found', 'There is no such path.'],
  415: ['unsupported_media_type', 'Send the body as application/json in UTF-8.'],
  422: ['validation_error', 'The request is not valid.'],
  429: ['rate_limit_exceeded', 'Too many requests.'],
  503: ['service_unavailable', 'The service cannot answer right now; try again.'],
};

/**
 * Turns whatever was thrown into the uniform error body. What is not in the catalogue is logged with its stack and the
 * request id, and answered as 500 without a word about the cause.
 */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent) return;
    const error = this.translate(thrown ?? new Error('Nothing was thrown.'), request);
    // The handler may have described a success that was then rolled back.
    for (const name of ['etag', 'location', 'content-disposition']) void reply.removeHeader(name);
    if (error.extras.headers) void reply.headers({ ...error.extras.headers });
    const own = request.routeOptions.config.answersErrors?.(error);
    if (own) {
      void reply.status(own.status).header('content-type', own.contentType).send(own.body);
      return;
    }
    if (isPage(request.url) && !wantsJson(request.headers.accept)) {
      const { type, content } = errorPage(error, request.id);
      void reply.status(error.status).header('content-type', type).send(content);
      return;
    }
    const { contentType, body } = errorAnswer(error, request.id, request.headers);
    varyBy('accept', reply);
    void reply.status(error.status).header('content-type', contentType).send(body);
  }

  private translate(thrown: unknown, request: FastifyRequest): ApiError {
    const error = toApiError(thrown);
    if (error instanceof ApiError) return error;
    const known = BY_STATUS[statusOf(error)];
    if (known)
      return new ApiError(
        known[0],
        known[1],
        known[0] === 'service_unavailable' ? { headers: { 'Retry-After': '1' } } : {},
      );
    this.logger.error(
      { request_id: request.id, method: request.method, path: pathOf(request), err: error },
      'request failed',
    );
    return new ApiError('internal_error', 'Something went wrong on our side; the request id helps us find it.');
  }
}

/** A program asks for JSON and not for HTML; browsers always name HTML, and who names nothing sees the page. */
function wantsJson(accept = ''): boolean {
  return /\bjson\b/i.test(accept) && !/\bhtml\b/i.test(accept);
}

/** Status of a Nest or Fastify error; 500 for anything else. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  return typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' ? statusCode : 500;
}

/** The path without its query, which may hold personal data. */
export function pathOf(request: { url: string }): string {
  return request.url.split('?', 1)[0] ?? '';
}
