import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { from, mergeAll, type Observable } from 'rxjs';

/**
 * Several interceptors as one, outermost first, each an ordinary one that is handed the rest of the chain. Registered one by one,
 * Nest would put two asynchronous scopes, a promise and two operators of rxjs between each and the next, on every request.
 */
export class InterceptorChain implements NestInterceptor {
  constructor(private readonly interceptors: readonly NestInterceptor<unknown, unknown>[]) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return this.through(0, context, next);
  }

  private through(index: number, context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const interceptor = this.interceptors[index];
    if (!interceptor) return next.handle();
    const rest = { handle: () => this.through(index + 1, context, next) };
    const result = interceptor.intercept(context, rest);
    return result instanceof Promise ? from(result).pipe(mergeAll()) : result;
  }
}
