import type { ExecutionContext } from '@nestjs/common';
import { ApiError, type ErrorDetail } from './errors';

/** The query parameters that a route declares. */
interface Declared {
  names: readonly string[];
  known: ReadonlySet<string>;
  required: readonly string[];
  /** Lists call what they do not know a filter. */
  isList: boolean;
}

interface DeclaredParameter {
  in?: string;
  name?: string;
  required?: boolean;
}

type Handler = ReturnType<ExecutionContext['getHandler']>;

const declarations = new WeakMap<Handler, Declared>();

/**
 * Refuses parameters that the route does not declare, and reports those it requires that are absent. What is declared is
 * what the OpenAPI document shows (`@ApiQuery` and the route decorators that use it), so the two cannot drift apart.
 */
export function checkParameters(context: ExecutionContext, query: Readonly<Record<string, unknown>>): void {
  const handler = context.getHandler();
  let declared = declarations.get(handler);
  if (!declared) declarations.set(handler, (declared = declaredBy(handler, context.getClass())));
  for (const name in query) {
    if (!declared.known.has(name)) throw unknown(name, declared);
  }
  for (const name of declared.required) {
    if (query[name] === undefined) throw absent(declared.required.filter((each) => query[each] === undefined));
  }
}

/** The metadata of `@ApiQuery()` on the method and its class. */
function declaredBy(handler: Handler, controller: ReturnType<ExecutionContext['getClass']>): Declared {
  const parameters = [handler, controller].flatMap(
    (target) => (Reflect.getMetadata('swagger/apiParameters', target) ?? []) as DeclaredParameter[],
  );
  const asked = parameters.filter((each) => each.in === 'query' && each.name !== undefined);
  const names = [...new Set(asked.map(({ name = '' }) => name))];
  return {
    names,
    // A record without relations has none to declare; the selection says so itself.
    known: new Set(names.includes('fields') ? [...names, 'expand', 'include'] : names),
    required: asked.filter(({ required }) => required === true).map(({ name = '' }) => name),
    isList: names.includes('page'),
  };
}

function unknown(given: string, { names, isList }: Declared): ApiError {
  const field = given.slice(0, 80).toWellFormed();
  const message = `"${field}" is not a parameter of this ${isList ? 'list' : 'request'}.`;
  const code = isList ? 'unknown_filter' : 'unknown_parameter';
  return new ApiError('validation_error', message, { details: [{ field, code, message, allowed: names }] });
}

function absent(missing: readonly string[]): ApiError {
  const details = missing.map((field): ErrorDetail => ({ field, code: 'required', message: `${field} is required` }));
  return new ApiError('validation_error', `Required parameters are missing: ${missing.join(', ')}.`, {
    missing,
    details,
  });
}
