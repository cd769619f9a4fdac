import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { PageLimitGuard } from './page-limit.guard';
import { PageLimits } from './page-limits';
import { QuotaEvents } from './quota-events';
import { QuotaGuard } from './quota.guard';
import { QuotaService } from './quota.service';
import { RateAdmission } from './rate-admission';
import { RateLimitGuard } from './rate-limit.guard';
import { RouteLimitGuard } from './route-limit.guard';
import { ThrottleCheck } from './throttle-check';
import { ThrottlerStorageModule, throttlerModule } from './throttler';

/** Requests per minute and per month. */
@Global()
@Module({
  imports: [DiscoveryModule, ThrottlerStorageModule, throttlerModule],
  providers: [
    QuotaService,
    QuotaEvents,
    RateAdmission,
    RouteLimitGuard,
    RateLimitGuard,
    ThrottleCheck,
    QuotaGuard,
    PageLimits,
    PageLimitGuard,
  ],
  exports: [ThrottlerStorageModule, QuotaService, RateLimitGuard, QuotaGuard, PageLimits, PageLimitGuard],
})
export class LimitsModule {}
