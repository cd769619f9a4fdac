import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Observable } from 'rxjs';

/** An interceptor that answers at once with an observable, as all of ours do. */
export interface SynchronousInterceptor extends NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown>;
}

/**
 * One interceptor that runs several, outermost first. Nest opens an asynchronous scope and three observables around
 * every global interceptor on every request; composed, they cost that once.
 */
export function composeInterceptors(classes: readonly Type<SynchronousInterceptor>[]): Type<NestInterceptor> {
  @Injectable()
  class ComposedInterceptors implements NestInterceptor {
    private readonly interceptors: readonly SynchronousInterceptor[];

    constructor(modules: ModuleRef) {
      this.interceptors = classes.map((each) => modules.get(each));
    }

    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      return this.handlerAt(0, context, next).handle();
    }

    private handlerAt(index: number, context: ExecutionContext, next: CallHandler): CallHandler {
      const interceptor = this.interceptors[index];
      if (!interceptor) return next;
      return { handle: () => interceptor.intercept(context, this.handlerAt(index + 1, context, next)) };
    }
  }
  return ComposedInterceptors;
}
