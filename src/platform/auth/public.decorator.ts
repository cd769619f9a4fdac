import type { ExecutionContext } from '@nestjs/common';

const publicTargets = new WeakSet<object>();

/** Opens a route (or every route of a controller) to callers without a token: the only opt-out of the guards. */
export function Public(): ClassDecorator & MethodDecorator {
  return (target: object, _property?: string | symbol, descriptor?: PropertyDescriptor) => {
    publicTargets.add((descriptor?.value as object | undefined) ?? target);
  };
}

/** Whether the route being called carries `@Public()`. */
export function isPublic(context: ExecutionContext): boolean {
  return publicTargets.has(context.getHandler()) || publicTargets.has(context.getClass());
}
