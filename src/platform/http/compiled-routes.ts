import {
  type ArgumentMetadata,
  type ExecutionContext,
  type PipeTransform,
  RequestMethod,
  type Type,
} from '@nestjs/common';
import {
  CUSTOM_ROUTE_ARGS_METADATA,
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HOST_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, type ModulesContainer } from '@nestjs/core';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { type Chain, type Method, type Parameter, runChain } from './chain-run';
import { PREFIX } from './openapi';
import { tableFormatOf } from './table/table-format';

/** What a decorator of Nest leaves on a parameter. */
interface Argument {
  index: number;
  data?: unknown;
  pipes: readonly unknown[];
  factory?: (data: unknown, context: ExecutionContext) => unknown;
}

/** What a method or controller must not have, to be called without Nest: more than every request passes, or another answer. */
const OWN = [
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  EXCEPTION_FILTERS_METADATA,
  HTTP_CODE_METADATA,
  HEADERS_METADATA,
  HOST_METADATA,
  VERSION_METADATA,
];
const GLOBAL = [APP_GUARD, APP_INTERCEPTOR, APP_PIPE, APP_FILTER];

/** What may be called so, as Nest's decorators and Fastify name it, and the status that Nest gives its answers. */
const VERBS: ReadonlyMap<unknown, { verb: string; status: number }> = new Map([
  [RequestMethod.GET, { verb: 'GET', status: 200 }],
  [RequestMethod.POST, { verb: 'POST', status: 201 }],
  [RequestMethod.PATCH, { verb: 'PATCH', status: 200 }],
  [RequestMethod.DELETE, { verb: 'DELETE', status: 200 }],
]);

/**
 * Routes that read (`@ListRoute`, `@ReadRoute`, `@Reads`) or write a record (`@CreateRoute`, `@UpdateRoute`, `@DeleteRoute`), called with what
 * every request passes and nothing between (`runChain`): what Nest puts around a handler that has interceptors (operators of rxjs, asynchronous scopes, a
 * dozen promises) costs as much as reading the record. The lists are those of the platform's module, guards and interceptors are ordinary
 * ones, and whatever a route has besides, or another module registers for all (`APP_GUARD` and the like), leaves it to Nest; so do tables.
 */
export class CompiledRoutes {
  /** The routes that are called so, as `GET /v1/tickets`. */
  readonly routes = new Set<string>();

  /** @param isPlain whether a method of a controller is one of these */
  constructor(
    private readonly modules: ModulesContainer,
    private readonly chain: Chain,
    private readonly isPlain: (handler: object) => boolean,
  ) {}

  /** Calls those of the routes registered after this call; once controllers are there. */
  watch(fastify: FastifyInstance): void {
    const { guards } = this.chain;
    if (globalsOf(this.modules) !== guards.length + GLOBAL.length - 1) return;
    const methods = this.methods();
    fastify.addHook('onRoute', (route) => {
      const name = `${String(route.method)} ${route.url}`;
      const method = methods.get(name);
      if (!method) return;
      this.routes.add(name);
      route.handler = this.handlerOf(method, route.handler);
    });
  }

  /** By verb and path of their route. */
  private methods(): Map<string, Method> {
    const methods = new Map<string, Method>();
    const wrappers = [...this.modules.values()].flatMap(({ controllers }) => [...controllers.values()]);
    for (const wrapper of wrappers) {
      const { instance, metatype: controller } = wrapper as { instance: object; metatype: Type };
      if (!wrapper.isDependencyTreeStatic() || has(controller, OWN)) continue;
      const prototype = controller.prototype as Record<string, Method['handler']>;
      // Of methods from elsewhere, Nest knows where their parameters are declared.
      for (const name of Object.getOwnPropertyNames(prototype)) {
        const handler = prototype[name];
        if (typeof handler !== 'function' || !this.isPlain(handler) || has(handler, OWN)) continue;
        const path = pathOf(controller, handler);
        const way = VERBS.get(Reflect.getMetadata(METHOD_METADATA, handler));
        const parameters = parametersOf(controller, name, this.chain.pipe);
        if (!path || !way || !parameters) continue;
        methods.set(`${way.verb} ${path}`, { status: way.status, controller, instance, handler, parameters });
      }
    }
    return methods;
  }

  /** @param byNest for tables, which are streams */
  private handlerOf(method: Method, byNest: RouteHandlerMethod): RouteHandlerMethod {
    const { chain } = this;
    return function (request, reply) {
      if (tableFormatOf(request.headers.accept) !== null) return byNest.call(this, request, reply);
      runChain(chain, method, request, reply);
    };
  }
}

/** The parameters of a method; null where one is read in a way that only Nest knows. */
function parametersOf(controller: Type, name: string, pipe: PipeTransform): Parameter[] | null {
  const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, Argument>;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ?? []) as Type[];
  const parameters = Object.entries(given).map(([key, argument]) => parameterOf(key, argument, types, pipe));
  return parameters.every((parameter) => parameter !== null) ? parameters : null;
}

function parameterOf(
  key: string,
  { index, data, pipes, factory }: Argument,
  types: readonly Type[],
  pipe: PipeTransform,
): Parameter | null {
  const metatype = types[index];
  const of = (type: ArgumentMetadata['type'], read: Parameter['read']): Parameter | null =>
    pipes.every(isPipe)
      ? { index, read, metadata: { type, metatype, data: data as string | undefined }, pipes: [pipe, ...pipes] }
      : null;
  if (factory && key.includes(CUSTOM_ROUTE_ARGS_METADATA)) return of('custom', (_request, call) => factory(data, call));
  const member = (values: unknown): unknown =>
    typeof data === 'string' ? (values as Record<string, unknown>)[data] : values;
  switch (Number(key.split(':', 1)[0])) {
    case RouteParamtypes.BODY as number:
      return data === undefined ? of('body', ({ body }) => body) : null;
    case RouteParamtypes.PARAM as number:
      return of('param', ({ params }) => member(params));
    case RouteParamtypes.QUERY as number:
      return of('query', ({ query }) => member(query));
    case RouteParamtypes.REQUEST as number:
      return { index, read: (request) => request, metadata: { type: 'custom' }, pipes: [] };
    default:
      return null;
  }
}

/** Where a method is found; null where it is no route, or has several places. */
function pathOf(controller: Type, handler: object): string | null {
  const paths = [controller, handler].map((target): unknown => Reflect.getMetadata(PATH_METADATA, target));
  if (!paths.every((path) => typeof path === 'string')) return null;
  return [PREFIX, ...paths.flatMap((path) => path.split('/')).filter((part) => part !== '')].join('/');
}

/** How many guards, interceptors, pipes and filters the modules register for all routes. */
function globalsOf(modules: ModulesContainer): number {
  const isGlobal = (token: unknown): boolean =>
    typeof token === 'string' && GLOBAL.some((name) => token.startsWith(`${name} `));
  return [...modules.values()]
    .flatMap(({ providers, injectables }) => [...providers.keys(), ...injectables.keys()])
    .filter(isGlobal).length;
}

const has = (target: object, keys: readonly string[]): boolean =>
  keys.some((key) => Reflect.getMetadata(key, target) !== undefined);

const isPipe = (pipe: unknown): pipe is PipeTransform =>
  typeof pipe === 'object' && pipe !== null && 'transform' in pipe;
