import { type ExecutionContext, SetMetadata, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { ApiError, type ErrorDetail, invalid } from '../errors/api-error';
import { shownName } from './json-body';

/** The query parameters that a route declares. */
interface Declared {
  names: readonly string[];
  known: ReadonlySet<string>;
  /** Those that take several values. */
  lists: ReadonlySet<string>;
  required: readonly string[];
  /** Beginning of names that only the handler knows; null = there are none. */
  family: string | null;
  /** Lists call what they do not know a filter. */
  isList: boolean;
}

interface DeclaredParameter {
  in?: string;
  name?: string;
  required?: boolean;
  schema?: { type?: string };
}

type Handler = ReturnType<ExecutionContext['getHandler']>;

const FAMILY = 'helpdesk:query-family';

/** The route takes parameters whose names begin so, and refuses by itself those that it does not know; all of them where nothing is named. */
export const TakesFamily = (prefix: string): MethodDecorator => SetMetadata(FAMILY, prefix);

const declarations = new WeakMap<Handler, Declared>();

/**
 * Several values of a list may come as one parameter, comma-separated, or as the same parameter several times, which
 * clients write who know no better (`status=open&status=on_hold`): both become the former. What takes one value is
 * refused when it is given twice.
 */
export function joinLists(context: ExecutionContext, query: Record<string, unknown>): void {
  for (const name in query) {
    const value = query[name];
    if (!Array.isArray(value)) continue;
    const { lists, family } = declaredOf(context);
    if (!lists.has(name) && !isOf(family, name)) {
      invalid(shownName(name), 'duplicate', `The parameter ${shownName(name)} is given more than once.`);
    }
    query[name] = value.join(',');
  }
}

/**
 * Refuses parameters that the route does not declare, and reports those it requires that are absent. What is declared is
 * what the OpenAPI document shows (`@ApiQuery` and the route decorators that use it), so the two cannot drift apart.
 */
export function checkParameters(context: ExecutionContext, query: Readonly<Record<string, unknown>>): void {
  const declared = declaredOf(context);
  for (const name in query) {
    if (!declared.known.has(name) && !isOf(declared.family, name)) throw unknown(name, declared);
  }
  for (const name of declared.required) {
    if (query[name] === undefined) throw absent(declared.required.filter((each) => query[each] === undefined));
  }
}

function isOf(family: string | null, name: string): boolean {
  return family !== null && name.startsWith(family);
}

function declaredOf(context: ExecutionContext): Declared {
  const handler = context.getHandler();
  let declared = declarations.get(handler);
  if (!declared) declarations.set(handler, (declared = declaredBy(handler, context.getClass())));
  return declared;
}

/** The metadata of `@ApiQuery()` on the method and its class, and of the class of `@Query()`. */
function declaredBy(handler: Handler, controller: ReturnType<ExecutionContext['getClass']>): Declared {
  const named = [handler, controller].flatMap(
    (target) => (Reflect.getMetadata('swagger/apiParameters', target) ?? []) as DeclaredParameter[],
  );
  const parameters = [...named, ...queryClassesOf(handler, controller).flatMap(membersOf)];
  const asked = parameters.filter((each) => each.in === 'query' && each.name !== undefined);
  const names = [...new Set(asked.map(({ name = '' }) => name))];
  return {
    names,
    // A record without relations has none to declare; the selection says so itself.
    known: new Set(names.includes('fields') ? [...names, 'expand', 'include'] : names),
    lists: new Set(asked.filter(({ schema }) => schema?.type === 'array').map(({ name = '' }) => name)),
    required: asked.filter(({ required }) => required === true).map(({ name = '' }) => name),
    family: (Reflect.getMetadata(FAMILY, handler) as string | undefined) ?? null,
    isList: names.includes('page'),
  };
}

function queryClassesOf(handler: Handler, controller: Type): Type[] {
  const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<
    string,
    { index: number }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ??
    []) as Type[];
  return Object.entries(given).flatMap(([kind, { index }]) =>
    kind.startsWith(`${RouteParamtypes.QUERY}:`) ? [types[index] ?? Object] : [],
  );
}

/** The metadata of `@ApiProperty()` on the members of a class. */
function membersOf({ prototype }: Type): DeclaredParameter[] {
  const of = prototype as object;
  const names = ((Reflect.getMetadata('swagger/apiModelPropertiesArray', of) ?? []) as string[]).map((name) =>
    name.slice(1),
  );
  return names.map((name) => ({
    ...(Reflect.getMetadata('swagger/apiModelProperties', of, name) as DeclaredParameter),
    in: 'query',
    name,
  }));
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
