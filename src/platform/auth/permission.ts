import { applyDecorators, type ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { requireOf } from '../context/demand';
import { type Permission, usualPermission } from '../context/permission-table';
import type { Principal, Scope } from '../context/principal';

/** What a route takes of who calls it. */
interface Need {
  permission: Permission;
  /** Undefined: what the permission's name says. */
  scope?: Scope | undefined;
}

const declared = new WeakMap<object, Need>();
const usual = new Map<string, Need>();

/**
 * The permission that a route takes, where it is another one than its method and path say (`usualPermission`).
 *
 * @param scope of tokens, where it is another one than the permission's name says: who may read a thing uses it by a route that writes
 */
export function Needs(permission: Permission, scope?: Scope): MethodDecorator {
  const note: MethodDecorator = (_target, _name, descriptor) =>
    void declared.set(descriptor.value as object, { permission, scope });
  return applyDecorators(note, ApiExtension('x-permission', permission));
}

/** Refuses (403) who may not call the route. Whatever a `GET` shows, it takes the scope `read`. */
export function requirePermission(context: ExecutionContext, principal: Principal): void {
  const { method } = context.switchToHttp().getRequest<FastifyRequest>();
  const reads = method === 'GET' || method === 'HEAD';
  const { permission, scope } = neededBy(context);
  requireOf(principal, permission, reads ? 'read' : scope);
}

function neededBy(context: ExecutionContext): Need {
  const said = declared.get(context.getHandler());
  if (said !== undefined) return said;
  const { method, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
  const route = `${method} ${routeOptions.url ?? ''}`;
  let needed = usual.get(route);
  if (needed === undefined)
    usual.set(route, (needed = { permission: usualPermission(method, routeOptions.url ?? '') }));
  return needed;
}
