import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type {} from '../http/fastify-request';
import { fail } from '../http/errors';

/** GET and HEAD need the scope `read`, everything else `write`; `*` is both. */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { access } = request.helpdesk;
    if (!access) return true;
    const needed = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
    const { scopes } = access.token;
    if (scopes.includes(needed) || scopes.includes('*')) return true;
    fail('insufficient_scope', `This call needs a token with the scope "${needed}".`);
  }
}
