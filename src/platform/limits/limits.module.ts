import { Module } from '@nestjs/common';
import { QuotaEvents } from './quota-events';
import { QuotaGuard } from './quota.guard';
import { QuotaService } from './quota.service';
import { RateLimitGuard } from './rate-limit.guard';
import { RedisThrottlerStorage } from './redis-throttler-storage';

/** Requests per minute and per month. */
@Module({
  providers: [RedisThrottlerStorage, QuotaService, QuotaEvents, RateLimitGuard, QuotaGuard],
  exports: [RedisThrottlerStorage, QuotaService, RateLimitGuard, QuotaGuard],
})
export class LimitsModule {}
