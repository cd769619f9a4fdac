import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { ROUTE_RESOURCE } from './routes';
import type { Resource } from '../resource/resource';
import { parseSelection, rememberSelection } from '../resource/read/selection';

/** Parses `fields`, `expand` and `include` against the route's resource, so that SQL selects only what was asked. */
@Injectable()
export class FieldSelectionInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const resource = Reflect.getMetadata(ROUTE_RESOURCE, context.getHandler()) as Resource | undefined;
    if (resource) {
      const request = context.switchToHttp().getRequest<FastifyRequest>();
      const query = request.query as Record<string, string | undefined>;
      if (query.fields !== undefined || query.expand !== undefined || query.include !== undefined) {
        rememberSelection(request.helpdesk, resource, parseSelection(resource, query));
      }
    }
    return next.handle();
  }
}
