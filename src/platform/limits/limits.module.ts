import { Global, Module } from '@nestjs/common';
import { PageLimitGuard } from './page-limit.guard';
import { PageLimits } from './page-limits';
import { QuotaEvents } from './quota-events';
import { QuotaGuard } from './quota.guard';
import { QuotaService } from './quota.service';
import { RateLimitGuard } from './rate-limit.guard';
import { RedisThrottlerStorage } from './redis-throttler-storage';

/** Requests per minute and per month. */
@Global()
@Module({
  providers: [RedisThrottlerStorage, QuotaService, QuotaEvents, RateLimitGuard, QuotaGuard, PageLimits, PageLimitGuard],
  exports: [RedisThrottlerStorage, QuotaService, RateLimitGuard, QuotaGuard, PageLimits, PageLimitGuard],
})
export class LimitsModule {}
