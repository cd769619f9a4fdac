import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type {} from '../http/fastify-request';
import { requirePermission } from './permission';

/** Refuses whose permissions do not include that of the route; scopes are where tokens have them from. */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { principal } = context.switchToHttp().getRequest<FastifyRequest>().helpdesk;
    if (principal) requirePermission(context, principal);
    return true;
  }
}
