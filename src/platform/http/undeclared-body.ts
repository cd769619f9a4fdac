import type { ExecutionContext, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { type ErrorDetail, refuseProblems } from '../errors/api-error';
import { shownName } from './json-body';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Members that are told of, at most. */
const MOST_TOLD = 20;

const known = new WeakMap<Handler, boolean>();

/**
 * Refuses members that are sent to a route that takes no body: what nobody reads must not look as if it had been obeyed
 * (`{"preview": true}` of what has no preview in its body). An empty object is no body either.
 */
export function checkUndeclaredBody(context: ExecutionContext, body: object): void {
  if (takesBody(context)) return;
  const names = Object.keys(body)
    .slice(0, MOST_TOLD)
    .map((name) => shownName(name));
  refuseProblems(
    names.map((field): ErrorDetail => ({
      field,
      code: 'unknown_field',
      message: `${field} is not a field of this request, which takes no body`,
      allowed: [],
    })),
  );
}

/** Whether the handler is handed the body (`@Body()`). */
function takesBody(context: ExecutionContext): boolean {
  const handler = context.getHandler();
  let takes = known.get(handler);
  if (takes === undefined) known.set(handler, (takes = isHandedBody(handler, context.getClass())));
  return takes;
}

function isHandedBody({ name }: Handler, controller: Type): boolean {
  const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as object;
  return Object.keys(given).some((kind) => kind.startsWith(`${RouteParamtypes.BODY}:`));
}
