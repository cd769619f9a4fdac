import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import type { RawQuery } from '../resource/read/list-query';
import { SavedLists } from '../resource/read/saved-lists';
import { ROUTE_RESOURCE } from './routes';
import type { Resource } from '../resource/resource';
import { parseSelection, rememberSelection } from '../resource/read/selection';

/**
 * Parses `fields`, `expand` and `include` against the route's resource, so that SQL selects only what was asked. A list with `view`
 * becomes the list that was saved before, for whoever reads the query afterwards.
 */
@Injectable()
export class FieldSelectionInterceptor implements NestInterceptor {
  constructor(private readonly saved: SavedLists) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const resource = Reflect.getMetadata(ROUTE_RESOURCE, context.getHandler()) as Resource | undefined;
    if (!resource) return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const query = request.query as RawQuery;
    if (query.view !== undefined) return this.open(request, resource, query, next);
    select(request, resource, query);
    return next.handle();
  }

  private async open(
    request: FastifyRequest,
    resource: Resource,
    query: RawQuery,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const opened = await this.saved.opened(resource, query);
    request.query = opened;
    select(request, resource, opened);
    return next.handle();
  }
}

function select({ helpdesk }: FastifyRequest, resource: Resource, query: RawQuery): void {
  const { fields, expand, include } = query;
  if (fields === undefined && expand === undefined && include === undefined) return;
  rememberSelection(helpdesk, resource, parseSelection(resource, query));
}
