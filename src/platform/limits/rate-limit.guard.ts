import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context/current';
import type {} from '../http/fastify-request';
import { fail } from '../errors/api-error';
import { networkOf } from './page-limit.guard';
import { QuotaService } from './quota.service';
import { RedisThrottlerStorage } from './redis-throttler-storage';
import { MINUTE_MS } from './sliding-window';
import { planLimit } from './throttler';

/** What the decorators of the throttler leave on a route or a controller begins with this. */
export const DECORATION = 'THROTTLER:';

/**
 * The plan's requests per minute, per token and not per route or address. A route with `@Throttle` has its own limit in place of
 * the plan's, per token, or per address where it needs none, in windows of its own length, and its headers tell that one;
 * `@SkipThrottle` exempts it. Only for these the base class looks things up, a dozen a request; headers are written with all
 * others at the end.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  /** By handler: whether its route or controller is decorated. */
  private readonly decorated = new WeakMap<object, boolean>();

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    // By token: what the base class declares for its own parameters would apply to these otherwise.
    @Inject(Reflector) reflector: Reflector,
    @Inject(RedisThrottlerStorage) private readonly windows: RedisThrottlerStorage,
    @Inject(QuotaService) private readonly quota: QuotaService,
  ) {
    super(options, storage, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.isDecorated(context)) return super.canActivate(context);
    const { access } = contextOf(context);
    const limit = planLimit(context);
    return access === null || limit === 0 ? true : this.admit(context, String(access.token.id), limit, MINUTE_MS);
  }

  /** Fills the figures of a request that was refused before its turn came, or has a limit of its own; it does not count. */
  look(context: Context): void {
    const limit = context.access?.plan?.rate_limit_per_minute ?? 0;
    if (context.access === null || limit === 0 || context.rateRemaining !== null) return;
    const { remaining, resetSeconds } = this.windows.look(String(context.access.token.id), limit);
    context.rateRemaining = remaining;
    context.rateResetSeconds = resetSeconds;
  }

  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl, throttler, getTracker, generateKey } = request;
    if (limit === 0) return true;
    const tracker = await getTracker(context.switchToHttp().getRequest(), context);
    contextOf(context).ownRate = { limit, seconds: Math.ceil(ttl / 1000) };
    return this.admit(context, generateKey(context, tracker, throttler.name ?? 'default'), limit, ttl);
  }

  protected override getTracker({ helpdesk, ip }: FastifyRequest): Promise<string> {
    return Promise.resolve(helpdesk.access === null ? networkOf(ip) : String(helpdesk.access.token.id));
  }

  protected override generateKey(context: ExecutionContext, tracker: string): string {
    return `route:${context.getClass().name}.${context.getHandler().name}:${tracker}`;
  }

  private async admit(context: ExecutionContext, key: string, limit: number, windowMs: number): Promise<true> {
    const helpdesk = contextOf(context);
    const answer = await this.windows.increment(key, windowMs, limit);
    helpdesk.rateRemaining = Math.max(0, limit - answer.totalHits);
    helpdesk.rateResetSeconds = answer.timeToExpire;
    if (!answer.isBlocked) return true;
    // A refused request is not counted, but its answer tells the month's figure too.
    if (helpdesk.access !== null) await this.quota.look(helpdesk);
    const window = windowMs === MINUTE_MS ? 'a minute' : `${windowMs / 1000} seconds`;
    fail('rate_limit_exceeded', `More than ${limit} requests in ${window}; wait as long as Retry-After says.`, {
      headers: { 'Retry-After': String(answer.timeToBlockExpire) },
    });
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

function contextOf(context: ExecutionContext): Context {
  return context.switchToHttp().getRequest<FastifyRequest>().helpdesk;
}
