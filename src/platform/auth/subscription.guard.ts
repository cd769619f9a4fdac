import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type {} from '../http/fastify-request';
import { fail } from '../errors/api-error';
import type { Access } from '../context/access';

/** Refuses accounts that may not use the service: suspended developer, suspended or archived app, no subscription. */
@Injectable()
export class SubscriptionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { access } = context.switchToHttp().getRequest<FastifyRequest>().helpdesk;
    if (access) requireGoodStanding(access);
    return true;
  }
}

function requireGoodStanding({ developer, app, tenant, plan }: Access): void {
  if (developer?.status === 'suspended') fail('developer_suspended', 'The developer account is suspended.');
  if (app && app.status !== 'active') fail('app_suspended', `The app is ${app.status}.`);
  // The catalogue knows no suspended tenant: its licence does not count while it is.
  if (tenant?.status === 'suspended' || !plan) fail('no_subscription', 'The workspace has no active subscription.');
}
