import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

interface Route {
  segments: readonly string[];
  methods: Set<string>;
}

/** The routes of the service by path, to answer "which methods does this path have?" for a 405. */
@Injectable()
export class RouteTable {
  private readonly routes = new Map<string, Route>();

  /** Notes every route registered after this call. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      if (url.includes('*')) return;
      // The catch-all of the prefix itself serves every method and so says nothing.
      if (Array.isArray(method) && method.length > 10) return;
      let route = this.routes.get(url);
      if (!route) this.routes.set(url, (route = { segments: url.split('/'), methods: new Set() }));
      for (const name of [method].flat()) route.methods.add(name);
    });
  }

  /** Methods of the most specific route that matches the path (without query), sorted; empty when there is none. */
  methodsOf(path: string): string[] {
    const segments = path.split('/');
    const matching = [...this.routes.values()].filter((route) => matches(route.segments, segments));
    const variables = (route: Route): number => route.segments.filter((segment) => segment.startsWith(':')).length;
    const fewest = Math.min(...matching.map(variables));
    return matching
      .filter((route) => variables(route) === fewest)
      .flatMap((route) => [...route.methods])
      .sort();
  }
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.length !== path.length) return false;
  return pattern.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : segment === path[index]));
}
