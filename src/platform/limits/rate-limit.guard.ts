import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context/current';
import type {} from '../http/fastify-request';
import { RateAdmission } from './rate-admission';
import { RedisThrottlerStorage } from './redis-throttler-storage';
import { RouteLimitGuard } from './route-limit.guard';
import { MINUTE_MS } from './sliding-window';
import { planLimit } from './throttler';

/** What the decorators of the throttler leave on a route or a controller begins with this. */
export const DECORATION = 'THROTTLER:';

/**
 * The plan's requests per minute, per token and not per route or address; for routes with a decorator of the throttler, what that says. Only
 * for these Nest's guard looks things up, a dozen a request; headers are written with all others at the end.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  /** By handler: whether its route or controller is decorated. */
  private readonly decorated = new WeakMap<object, boolean>();

  constructor(
    private readonly routes: RouteLimitGuard,
    private readonly admission: RateAdmission,
    private readonly windows: RedisThrottlerStorage,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.isDecorated(context)) return this.routes.canActivate(context);
    const { helpdesk } = context.switchToHttp().getRequest<FastifyRequest>();
    const limit = planLimit(context);
    if (helpdesk.access === null || limit === 0) return true;
    return this.admission.admit(helpdesk, String(helpdesk.access.token.id), limit, MINUTE_MS);
  }

  /** Fills the figures of a request that was refused before its turn came, or has a limit of its own; it does not count. */
  look(context: Context): void {
    const limit = context.access?.plan?.rate_limit_per_minute ?? 0;
    if (context.access === null || limit === 0 || context.rateRemaining !== null) return;
    const { remaining, resetSeconds } = this.windows.look(String(context.access.token.id), limit);
    context.rateRemaining = remaining;
    context.rateResetSeconds = resetSeconds;
  }

  private isDecorated(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    let known = this.decorated.get(handler);
    if (known === undefined) {
      known = [handler, context.getClass()].some((target) =>
        Reflect.getMetadataKeys(target).some((key) => String(key).startsWith(DECORATION)),
      );
      this.decorated.set(handler, known);
    }
    return known;
  }
}
