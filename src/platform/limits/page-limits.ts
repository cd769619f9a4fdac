import { Injectable } from '@nestjs/common';
import { fail } from '../errors/api-error';
import { RedisThrottlerStorage } from './redis-throttler-storage';
import { MINUTE_MS } from './sliding-window';

/** What people without a token may ask for in a minute: the same windows as those of tokens, under names of their own. */
@Injectable()
export class PageLimits {
  constructor(private readonly storage: RedisThrottlerStorage) {}

  /**
   * Counts one request.
   *
   * @param name what is counted, e.g. `address:192.0.2.1`
   * @param limit requests in any 60 seconds; 0 = unlimited
   * @throws ApiError 429 with Retry-After
   */
  async admit(name: string, limit: number): Promise<void> {
    if (limit === 0) return;
    const answer = await this.storage.increment(`page:${name}`, MINUTE_MS, limit);
    if (!answer.isBlocked) return;
    fail('rate_limit_exceeded', 'Too many requests in a minute; please wait a moment and try again.', {
      headers: { 'Retry-After': String(answer.timeToBlockExpire) },
    });
  }
}
