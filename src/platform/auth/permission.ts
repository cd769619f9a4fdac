import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Permission, Principal } from '../context/principal';
import { fail } from '../errors/api-error';

const declared = new WeakMap<object, Permission>();

/** The permission that a route takes, where it is another one than `<area>.read` of a GET, or `<area>.write`. */
export function Needs(permission: Permission): MethodDecorator {
  return (_target, _name, descriptor) => void declared.set(descriptor.value as object, permission);
}

/**
 * What callers may do is decided here and by their permissions alone, whatever those come from (scopes of a token, a link).
 *
 * @throws ApiError 403
 */
export function requirePermission(context: ExecutionContext, { kind, permissions }: Principal): void {
  const needed = declared.get(context.getHandler()) ?? usualOf(context);
  if (permissions.allows(needed)) return;
  const scope = needed.endsWith('.read') ? 'read' : 'write';
  const message =
    kind === 'link' ? 'This link does not allow that.' : `This call needs a token with the scope "${scope}".`;
  fail('insufficient_scope', message);
}

function usualOf(context: ExecutionContext): Permission {
  const { method, url } = context.switchToHttp().getRequest<FastifyRequest>();
  // First part of the path behind the version: what a permission is about.
  const [, , area = ''] = url.split(/[/?]/, 3);
  return `${area}.${method === 'GET' || method === 'HEAD' ? 'read' : 'write'}`;
}
