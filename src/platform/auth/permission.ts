import { applyDecorators, type ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { requireOf } from '../context/demand';
import { type Permission, usualPermission } from '../context/permission-table';
import type { Principal } from '../context/principal';

const declared = new WeakMap<object, Permission>();
const usual = new Map<string, Permission>();

/** The permission that a route takes, where it is another one than its method and path say (`usualPermission`). */
export function Needs(permission: Permission): MethodDecorator {
  const note: MethodDecorator = (_target, _name, descriptor) =>
    void declared.set(descriptor.value as object, permission);
  return applyDecorators(note, ApiExtension('x-permission', permission));
}

/** Refuses (403) who may not call the route. The method says the scope, whatever the permission is called. */
export function requirePermission(context: ExecutionContext, principal: Principal): void {
  const { method } = context.switchToHttp().getRequest<FastifyRequest>();
  const reads = method === 'GET' || method === 'HEAD';
  requireOf(principal, neededBy(context), reads ? 'read' : 'write');
}

function neededBy(context: ExecutionContext): Permission {
  const said = declared.get(context.getHandler());
  if (said !== undefined) return said;
  const { method, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
  const route = `${method} ${routeOptions.url ?? ''}`;
  let needed = usual.get(route);
  if (needed === undefined) usual.set(route, (needed = usualPermission(method, routeOptions.url ?? '')));
  return needed;
}
