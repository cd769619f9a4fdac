import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';

/** An interceptor that answers at once with an observable, as all of ours do. */
export interface SynchronousInterceptor extends NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown>;
}

/**
 * One interceptor that runs several, outermost first. Nest opens an asynchronous scope and three observables around
 * every global interceptor on every request; composed, they cost that once.
 */
export function composeInterceptors(interceptors: readonly SynchronousInterceptor[]): SynchronousInterceptor {
  const handlerAt = (index: number, context: ExecutionContext, next: CallHandler): CallHandler => {
    const interceptor = interceptors[index];
    return interceptor ? { handle: () => interceptor.intercept(context, handlerAt(index + 1, context, next)) } : next;
  };
  return { intercept: (context, next) => handlerAt(0, context, next).handle() };
}
