import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { type AddressRange, isAllowed, isForbidden, parseRanges } from './addresses';
import { exchange, type Route } from './exchange';
import {
  BlockedAddress,
  type OutboundCause,
  outboundError,
  type OutboundRequest,
  type OutboundResult,
} from './outbound-result';
import { PinnedAgent, PinnedSecureAgent } from './pinned-agents';
import { createResolver, type ResolveName } from './resolver';
import { checkTargetUrl, literalAddress, needsAllowedAddress } from './target-url';

const TIMEOUT_MS = 10_000;

/** Stands in for the network in tests. */
export interface OutboundNetwork {
  resolve?: ResolveName;
  /** PEM certificates to trust instead of the well-known ones. */
  ca?: string;
}

/** Injection token of an `OutboundNetwork`; nothing provides it outside tests. */
export const OUTBOUND_NETWORK = Symbol('OutboundNetwork');

/**
 * The only HTTP client of the service: sends to addresses that strangers wrote down. Nothing reaches an address that is
 * not public (or opened by WEBHOOK_ALLOW_CIDRS), and no server can hold a sender longer than the deadline or make it
 * read more than a little. Redirects are answers; proxies of the environment are ignored.
 */
@Injectable()
export class Outbound implements OnApplicationShutdown {
  private readonly allowed: readonly AddressRange[];
  private readonly resolve: ResolveName;
  private readonly plain = new PinnedAgent();
  private readonly secure: PinnedSecureAgent;

  constructor(
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'webhookAllowCidrs'>,
    @Optional() @Inject(OUTBOUND_NETWORK) network: OutboundNetwork | null = null,
  ) {
    this.allowed = parseRanges(config.webhookAllowCidrs);
    this.resolve = network?.resolve ?? createResolver(this.allowed.length > 0);
    this.secure = new PinnedSecureAgent(network?.ca);
  }

  /** Sends one message. Whatever the other side does ends in a result, never in an exception. */
  async send(request: OutboundRequest): Promise<OutboundResult> {
    const startedAt = performance.now();
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), request.timeoutMs ?? TIMEOUT_MS);
    try {
      const route = await this.route(request.url, ending.signal);
      if (typeof route === 'string') return failure(startedAt, route);
      const { cause, ...answer } = await exchange(request, route, ending.signal);
      return { ...answer, durationMs: since(startedAt), error: cause === null ? null : outboundError(cause) };
    } finally {
      clearTimeout(timer);
      // Ends a search for addresses that nobody waits for any more.
      ending.abort();
    }
  }

  onApplicationShutdown(): void {
    this.plain.destroy();
    this.secure.destroy();
  }

  /** Where to connect to, all of it vetted; or why not to. */
  private async route(text: string, signal: AbortSignal): Promise<Route | OutboundCause> {
    const { url } = checkTargetUrl(text, this.allowed);
    if (url === null) return 'blocked_address';
    const literal = literalAddress(url);
    const addresses = literal === null ? await this.addressesOf(url.hostname, signal) : [literal];
    if (addresses === null) return signal.aborted ? 'timeout' : 'dns';
    const strict = needsAllowedAddress(url);
    const vet = (address: string): boolean =>
      strict ? isAllowed(address, this.allowed) : !isForbidden(address, this.allowed);
    // One bad address among good ones is an attack or a mistake; trying the good ones would make it a matter of luck.
    if (!addresses.every(vet)) return 'blocked_address';
    const agent = url.protocol === 'https:' ? this.secure : this.plain;
    const confirm = (address: string | undefined): Error | null =>
      address !== undefined && vet(address)
        ? null
        : new BlockedAddress('Connected to another address than the vetted.');
    return { url, addresses, agent, confirm };
  }

  private async addressesOf(name: string, signal: AbortSignal): Promise<string[] | null> {
    try {
      const addresses = await Promise.race([this.resolve(name, signal), aborted(signal)]);
      return addresses.length > 0 ? [...new Set(addresses)].sort() : null;
    } catch {
      return null;
    }
  }
}

function failure(startedAt: number, cause: OutboundCause): OutboundResult {
  return { status: null, durationMs: since(startedAt), body: null, headers: {}, error: outboundError(cause) };
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void => reject(new Error('Out of time.'));
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
