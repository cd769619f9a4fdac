import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type {} from '../http/fastify-request';
import { requireImpersonation } from './acting.guard';
import { requirePermission } from './permission';

/** Refuses whose permissions do not include that of the route: scopes of the token, and the role of whose token it is. */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { principal } = request.helpdesk;
    if (principal) {
      requireImpersonation(request);
      requirePermission(context, principal);
    }
    return true;
  }
}
