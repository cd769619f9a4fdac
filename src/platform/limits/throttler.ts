import type { ExecutionContext } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import type {} from '../http/fastify-request';
import { RedisThrottlerStorage } from './redis-throttler-storage';
import { MINUTE_MS } from './sliding-window';

/** The plan's requests per minute; 0 = unlimited. */
export function planLimit(context: ExecutionContext): number {
  return context.switchToHttp().getRequest<FastifyRequest>().helpdesk.access?.plan?.rate_limit_per_minute ?? 0;
}

@Module({ providers: [RedisThrottlerStorage], exports: [RedisThrottlerStorage] })
export class ThrottlerStorageModule {}

/** Nest's throttler with the plan's limit as its default, counted in Redis. Headers are written with all others at the end. */
export const throttlerModule = ThrottlerModule.forRootAsync({
  imports: [ThrottlerStorageModule],
  inject: [RedisThrottlerStorage],
  useFactory: (storage: RedisThrottlerStorage): ThrottlerModuleOptions => ({
    throttlers: [{ name: 'default', ttl: MINUTE_MS, limit: planLimit }],
    setHeaders: false,
    // Not the storage itself: Nest would open it once more.
    storage: { increment: (key, ttl, limit) => storage.increment(key, ttl, limit) },
  }),
});
