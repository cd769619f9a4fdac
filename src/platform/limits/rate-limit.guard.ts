import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
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
import { planLimit, WINDOW_MS } from './throttler';

/** What the decorators of the throttler leave on a route or a controller begins with this. */
const DECORATION = 'THROTTLER:';

/**
 * The plan's requests per minute, per token and not per route or address. A route with `@Throttle` has its own limit in place of
 * the plan's, per token, or per address where it needs none; `@SkipThrottle` exempts it. Only for these the base class looks
 * things up, a dozen a request; headers are written with all others at the end.
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
    const { helpdesk } = context.switchToHttp().getRequest<FastifyRequest>();
    const limit = planLimit(context);
    if (helpdesk.access === null || limit === 0) return true;
    const answer = await this.windows.increment(String(helpdesk.access.token.id), WINDOW_MS, limit);
    helpdesk.rateRemaining = Math.max(0, limit - answer.totalHits);
    helpdesk.rateResetSeconds = answer.timeToExpire;
    return answer.isBlocked ? this.refuse(context, limit, answer.timeToBlockExpire) : true;
  }

  /** Fills the figures of a request that was refused before its turn came, or has a limit of its own; it does not count. */
  look(context: Context): void {
    const limit = context.access?.plan?.rate_limit_per_minute ?? 0;
    if (context.access === null || limit === 0 || context.rateRemaining !== null) return;
    const { remaining, resetSeconds } = this.windows.look(String(context.access.token.id), limit);
    context.rateRemaining = remaining;
    context.rateResetSeconds = resetSeconds;
  }

  protected override handleRequest(request: ThrottlerRequest): Promise<boolean> {
    if (request.ttl !== WINDOW_MS) throw new Error(`@Throttle counts by the minute: "ttl" must be ${WINDOW_MS}.`);
    return request.limit === 0 ? Promise.resolve(true) : super.handleRequest(request);
  }

  protected override getTracker({ helpdesk, ip }: FastifyRequest): Promise<string> {
    return Promise.resolve(helpdesk.access === null ? networkOf(ip) : String(helpdesk.access.token.id));
  }

  protected override generateKey(context: ExecutionContext, tracker: string): string {
    return `route:${context.getClass().name}.${context.getHandler().name}:${tracker}`;
  }

  protected override throwThrottlingException(context: ExecutionContext, detail: ThrottlerLimitDetail): Promise<void> {
    return this.refuse(context, detail.limit, detail.timeToBlockExpire);
  }

  private async refuse(context: ExecutionContext, limit: number, seconds: number): Promise<never> {
    // A refused request is not counted, but its answer tells the month's figure too.
    const { helpdesk } = context.switchToHttp().getRequest<FastifyRequest>();
    if (helpdesk.access !== null) await this.quota.look(helpdesk);
    fail('rate_limit_exceeded', `More than ${limit} requests in a minute; wait as long as Retry-After says.`, {
      headers: { 'Retry-After': String(seconds) },
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
