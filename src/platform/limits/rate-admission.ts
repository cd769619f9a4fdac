import { Injectable } from '@nestjs/common';
import type { Context } from '../context/current';
import { fail } from '../errors/api-error';
import { QuotaService } from './quota.service';
import { RedisThrottlerStorage, type ThrottlerRecord } from './redis-throttler-storage';
import { MINUTE_MS } from './sliding-window';

/** Lets requests in as long as their limit has any left, and tells them what is left. */
@Injectable()
export class RateAdmission {
  constructor(
    private readonly windows: RedisThrottlerStorage,
    private readonly quota: QuotaService,
  ) {}

  /**
   * Counts one request of `key`: at once where this node may, which nearly always it does.
   *
   * @throws ApiError 429 with Retry-After
   */
  admit(context: Context, key: string, limit: number, windowMs: number): true | Promise<true> {
    const record = this.windows.count(key, windowMs, limit);
    return record instanceof Promise
      ? record.then((counted) => this.judge(context, counted, limit, windowMs))
      : this.judge(context, record, limit, windowMs);
  }

  private judge(context: Context, record: ThrottlerRecord, limit: number, windowMs: number): true | Promise<true> {
    context.rateRemaining = Math.max(0, limit - record.totalHits);
    context.rateResetSeconds = record.timeToExpire;
    return record.isBlocked ? this.refuse(context, record, limit, windowMs) : true;
  }

  private async refuse(context: Context, record: ThrottlerRecord, limit: number, windowMs: number): Promise<never> {
    // A refused request is not counted, but its answer tells the month's figure too.
    if (context.access !== null) await this.quota.look(context);
    const window = windowMs === MINUTE_MS ? 'a minute' : `${windowMs / 1000} seconds`;
    fail('rate_limit_exceeded', `More than ${limit} requests in ${window}; wait as long as Retry-After says.`, {
      headers: { 'Retry-After': String(record.timeToBlockExpire) },
    });
  }
}
