import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { writeLimitHeaders } from './request-hooks';

/**
 * Writes the rate and quota headers of every request that passed the guards, before the handler runs: they are on the
 * answer whether it succeeds or fails. Requests that a guard refused get theirs from the same function in `onSend`.
 */
@Injectable()
export class QuotaHeadersInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    writeLimitHeaders(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
    return next.handle();
  }
}
