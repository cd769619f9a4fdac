import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { createHash } from 'node:crypto';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { isPage } from '../http/public-page';
import { PageLimits } from './page-limits';

/** Requests of one link in any 60 seconds, from wherever. */
const PER_LINK = 60;

/** IPv6 customers get whole networks of this size; an address of one is as good as any other. */
const IPV6_NETWORK_BITS = 64;

/** Limits the pages for people without a token, by address and by link. Everything else passes. */
@Injectable()
export class PageLimitGuard implements CanActivate {
  constructor(
    private readonly limits: PageLimits,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'pageRateLimit'>,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return !isPage(request.url) || this.admit(request);
  }

  private async admit({ url, ip, params }: FastifyRequest): Promise<boolean> {
    // The address first: whoever makes links up is stopped before each of them has a window of its own.
    await this.limits.admit(`address:${networkOf(ip)}`, this.config.pageRateLimit);
    await this.limits.admit(`link:${linkOf((params as { token?: string }).token ?? url)}`, PER_LINK);
    return true;
  }
}

/** What is kept of a link opens nothing. */
function linkOf(link: string): string {
  return createHash('sha256').update(link).digest('base64url').slice(0, 22);
}

/** The network that is counted as one client. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_NETWORK_BITS}`).toString();
}
