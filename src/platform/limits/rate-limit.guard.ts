import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context/current';
import type {} from '../http/fastify-request';
import { fail } from '../http/errors';
import { QuotaService } from './quota.service';
import { RedisThrottlerStorage } from './redis-throttler-storage';

const WINDOW_MS = 60_000;

/**
 * The plan's requests per minute, per token and not per route or address. Routes carry no limits of their own, so the
 * look-ups of the base class, a dozen a request, are left out; headers are written with all others at the end.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  constructor(
    // All three by token: what the base class declares for its own parameters would apply to these otherwise.
    @Inject(RedisThrottlerStorage) private readonly storage: RedisThrottlerStorage,
    @Inject(Reflector) reflector: Reflector,
    @Inject(QuotaService) private readonly quota: QuotaService,
  ) {
    super({ throttlers: [{ ttl: WINDOW_MS, limit: 0 }], setHeaders: false }, storage, reflector);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { helpdesk } = context.switchToHttp().getRequest<FastifyRequest>();
    const limit = helpdesk.access?.plan?.rate_limit_per_minute ?? 0;
    if (helpdesk.access === null || limit === 0) return true;
    const answer = await this.storage.increment(String(helpdesk.access.token.id), WINDOW_MS, limit);
    helpdesk.rateRemaining = Math.max(0, limit - answer.totalHits);
    helpdesk.rateResetSeconds = answer.timeToExpire;
    if (!answer.isBlocked) return true;
    // A refused request is not counted, but its answer tells the month's figure too.
    await this.quota.look(helpdesk);
    fail('rate_limit_exceeded', `More than ${limit} requests in a minute; wait as long as Retry-After says.`, {
      headers: { 'Retry-After': String(answer.timeToBlockExpire) },
    });
  }

  /** Fills the figures of a request that was refused before its turn came; it does not count. */
  look(context: Context): void {
    const limit = context.access?.plan?.rate_limit_per_minute ?? 0;
    if (context.access === null || limit === 0 || context.rateRemaining !== null) return;
    const { remaining, resetSeconds } = this.storage.look(String(context.access.token.id), limit);
    context.rateRemaining = remaining;
    context.rateResetSeconds = resetSeconds;
  }
}
