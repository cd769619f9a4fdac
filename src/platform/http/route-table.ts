import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

interface Route {
  segments: readonly string[];
  methods: Set<string>;
}

/**
 * The routes of the service by path, to answer "which methods does this path have?" for a 405. The router matches method
 * by method: where `/tickets/batch` has no PATCH it takes `/tickets/:id`, with an id that is none.
 */
@Injectable()
export class RouteTable {
  private readonly routes = new Map<string, Route>();
  private readonly specific = new Map<string, readonly Route[]>();

  /** Notes every route registered after this call. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      if (url.includes('*')) return;
      this.specific.clear();
      // The catch-all of the prefix itself serves every method and so says nothing.
      if (Array.isArray(method) && method.length > 10) return;
      let route = this.routes.get(url);
      if (!route) this.routes.set(url, (route = { segments: url.split('/'), methods: new Set() }));
      for (const name of [method].flat()) route.methods.add(name);
    });
  }

  /**
   * Methods of a more specific path that a request means, although its own method led to `pattern`; null when it means
   * none. Cheap where every parameter is a number.
   */
  methodsMeantBy(pattern: string, url: string, params: Readonly<Record<string, string>>): string[] | null {
    if (!hasWords(params)) return null;
    const siblings = this.moreSpecificThan(pattern);
    if (siblings.length === 0) return null;
    const path = url.split('?', 1)[0] ?? '';
    const segments = path.split('/');
    return siblings.some((route) => matches(route.segments, segments)) ? this.methodsOf(path) : null;
  }

  private moreSpecificThan(pattern: string): readonly Route[] {
    let found = this.specific.get(pattern);
    if (!found) {
      const own = pattern.split('/');
      found = [...this.routes.values()].filter(
        ({ segments }) => matches(own, segments) && variables(segments) < variables(own),
      );
      this.specific.set(pattern, found);
    }
    return found;
  }

  /** Methods of the most specific route that matches the path (without query), sorted; empty when there is none. */
  methodsOf(path: string): string[] {
    const segments = path.split('/');
    const matching = [...this.routes.values()].filter((route) => matches(route.segments, segments));
    const fewest = Math.min(...matching.map((route) => variables(route.segments)));
    return matching
      .filter((route) => variables(route.segments) === fewest)
      .flatMap((route) => [...route.methods])
      .sort();
  }
}

function variables(segments: readonly string[]): number {
  return segments.filter((segment) => segment.startsWith(':')).length;
}

/** Whether some parameter does not begin with a digit, as ids do. */
function hasWords(params: Readonly<Record<string, string>>): boolean {
  for (const name in params) {
    const first = params[name]?.charCodeAt(0) ?? 0;
    if (first < 48 || first > 57) return true;
  }
  return false;
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.length !== path.length) return false;
  return pattern.every((segment, index) => (segment.startsWith(':') ? path[index] !== '' : segment === path[index]));
}
