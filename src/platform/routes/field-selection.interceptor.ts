import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import type { RawQuery } from '../resource/read/list-query';
import { SavedLists } from '../resource/read/saved-lists';
import { ROUTE_RESOURCE } from './routes';
import type { Resource } from '../resource/resource';
import { rememberSelection } from '../resource/read/selection';
import { ResourceKernel } from '../resource/resource-kernel';

/**
 * Parses `fields`, `expand` and `include` against the route's resource, so that SQL selects only what was asked. A list with `view`
 * becomes the list that was saved before, for whoever reads the query afterwards.
 */
@Injectable()
export class FieldSelectionInterceptor implements NestInterceptor {
  constructor(
    private readonly saved: SavedLists,
    private readonly kernel: ResourceKernel,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const resource = Reflect.getMetadata(ROUTE_RESOURCE, context.getHandler()) as Resource | undefined;
    if (!resource) return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { view, fields, expand, include } = request.query as RawQuery;
    if (view === undefined && fields === undefined && expand === undefined && include === undefined)
      return next.handle();
    return this.select(request, resource, next);
  }

  private async select(request: FastifyRequest, resource: Resource, next: CallHandler): Promise<Observable<unknown>> {
    const query = await this.saved.opened(resource, request.query as RawQuery);
    request.query = query;
    rememberSelection(request.helpdesk, resource, await this.kernel.selected(resource, query));
    return next.handle();
  }
}
