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
import type {} from '../http/fastify-request';
import { networkOf } from './page-limit.guard';
import { RateAdmission } from './rate-admission';

/**
 * Of routes with `@Throttle`: their own limit in place of the plan's, per token, or per address where they need none, in windows of its own
 * length; headers tell that one. Of `@SkipThrottle`: none.
 */
@Injectable()
export class RouteLimitGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    // By token: what the base class declares for its own parameters would apply to these otherwise.
    @Inject(Reflector) reflector: Reflector,
    @Inject(RateAdmission) private readonly admission: RateAdmission,
  ) {
    super(options, storage, reflector);
  }

  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl, throttler, getTracker, generateKey } = request;
    if (limit === 0) return true;
    const { helpdesk } = context.switchToHttp().getRequest<FastifyRequest>();
    const tracker = await getTracker(context.switchToHttp().getRequest(), context);
    helpdesk.ownRate = { limit, seconds: Math.ceil(ttl / 1000) };
    return this.admission.admit(helpdesk, generateKey(context, tracker, throttler.name ?? 'default'), limit, ttl);
  }

  protected override getTracker({ helpdesk, ip }: FastifyRequest): Promise<string> {
    return Promise.resolve(helpdesk.access === null ? networkOf(ip) : String(helpdesk.access.token.id));
  }

  protected override generateKey(context: ExecutionContext, tracker: string): string {
    return `route:${context.getClass().name}.${context.getHandler().name}:${tracker}`;
  }
}
