import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { invalid } from '../../../platform/errors/api-error';
import { isRecord } from '../../../platform/text/json';

/** Lets a body call `body` `content` (product reference 1.7). Interceptors come before the validation of bodies. */
@Injectable()
export class ContentAlias implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.body = withoutAlias(request.body);
    return next.handle();
  }
}

/** The same body, `content` renamed; 422 when it has both. */
function withoutAlias(body: unknown): unknown {
  if (!isRecord(body) || !Object.hasOwn(body, 'content')) return body;
  if (Object.hasOwn(body, 'body'))
    invalid('content', 'conflict', '"content" is another name of "body"; use only one of them.');
  const { content, ...rest } = body;
  return { ...rest, body: content };
}
