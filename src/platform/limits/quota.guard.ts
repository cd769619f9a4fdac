import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type {} from '../http/fastify-request';
import { fail } from '../errors/api-error';
import type { QuotaVerdict } from './quota-ledger';
import { QuotaService } from './quota.service';

/** Counts the request against the month's quota; refuses it when the plan has none left and knows no overage. */
@Injectable()
export class QuotaGuard implements CanActivate {
  constructor(private readonly quota: QuotaService) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { helpdesk } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!helpdesk.access) return true;
    const refusal = this.quota.count(helpdesk);
    return refusal instanceof Promise ? refusal.then(admit) : admit(refusal);
  }
}

function admit(refusal: QuotaVerdict | null): boolean {
  if (!refusal) return true;
  fail('quota_exceeded', 'The monthly quota of the plan is used up.', {
    headers: { 'Retry-After': String(refusal.secondsLeft) },
  });
}
