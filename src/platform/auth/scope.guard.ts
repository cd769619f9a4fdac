import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type {} from '../http/fastify-request';
import { fail } from '../errors/api-error';

/** GET and HEAD take a permission to read, everything else one to write; scopes are where tokens have them from. */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { principal } = request.helpdesk;
    if (!principal) return true;
    const needed = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
    if (principal.permissions.allows(`${areaOf(request.url)}.${needed}`)) return true;
    fail('insufficient_scope', `This call needs a token with the scope "${needed}".`);
  }
}

/** First part of the path behind the version: what a permission is about. */
function areaOf(url: string): string {
  const [, , area = ''] = url.split(/[/?]/, 3);
  return area;
}
