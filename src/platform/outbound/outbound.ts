import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { type AddressRange, isAllowed, isForbidden, parseRanges } from './addresses';
import { type BodySink, StreamSink, TextSink } from './body-sink';
import { type Answer, exchange, type Route, told } from './exchange';
import {
  BlockedAddress,
  type OutboundAnswer,
  type OutboundCause,
  outboundError,
  type OutboundRequest,
  type OutboundResult,
} from './outbound-result';
import { PinnedAgent, PinnedSecureAgent } from './pinned-agents';
import { HOOK_PROFILE, type OutboundProfile } from './profile';
import { createResolver, type ResolveName } from './resolver';
import { checkTargetUrl, literalAddress, needsAllowedAddress } from './target-url';

/** Stands in for the network in tests. */
export interface OutboundNetwork {
  resolve?: ResolveName;
  /** PEM certificates to trust instead of the well-known ones. */
  ca?: string;
}

/** Injection token of an `OutboundNetwork`, which nothing provides: tests hand theirs to the constructor. */
const OUTBOUND_NETWORK = Symbol('OutboundNetwork');

/**
 * The only HTTP client of the service: sends to addresses that strangers wrote down. Nothing reaches an address that is
 * not public (or opened by WEBHOOK_ALLOW_CIDRS), and no server can hold a sender longer than the deadline or make it
 * read more than its profile allows. Redirects are answers; proxies of the environment are ignored.
 */
@Injectable()
export class Outbound implements OnApplicationShutdown {
  private readonly allowed: readonly AddressRange[];
  private readonly plain = new PinnedAgent();
  private readonly secure: PinnedSecureAgent;

  constructor(
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'webhookAllowCidrs'>,
    @Optional() @Inject(OUTBOUND_NETWORK) private readonly network: OutboundNetwork | null = null,
  ) {
    this.allowed = parseRanges(config.webhookAllowCidrs);
    this.secure = new PinnedSecureAgent(network?.ca);
  }

  /** Sends one message. Whatever the other side does ends in a result, never in an exception. */
  async send(request: OutboundRequest, profile: OutboundProfile = HOOK_PROFILE): Promise<OutboundResult> {
    const startedAt = performance.now();
    const sink = new TextSink(profile);
    const { cause, status, headers } = await this.deliver(request, profile, sink);
    const body = status === null ? null : sink.text();
    return { status, headers, body, durationMs: since(startedAt), error: cause === null ? null : outboundError(cause) };
  }

  /**
   * Sends one message and answers as soon as the other side does; the body comes as a stream, as fast as it is read. Until
   * then nothing that the other side does is an exception; afterwards the stream fails.
   */
  stream(request: OutboundRequest, profile: OutboundProfile): Promise<OutboundAnswer> {
    return new Promise((resolve) => {
      const body: StreamSink = new StreamSink(profile, (response) =>
        resolve({ status: response.statusCode ?? null, headers: told(response), body, error: null }),
      );
      void this.deliver(request, profile, body).then(({ cause, status, headers }) => {
        if (status === null) resolve({ status, headers, body: null, error: outboundError(cause ?? 'reset') });
        else body.finish(cause);
      });
    });
  }

  onApplicationShutdown(): void {
    this.plain.destroy();
    this.secure.destroy();
  }

  private async deliver(request: OutboundRequest, profile: OutboundProfile, sink: BodySink): Promise<Answer> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), request.timeoutMs ?? profile.timeoutMs);
    try {
      const route = await this.route(request.url, profile, ending.signal);
      if (typeof route === 'string') return { status: null, headers: {}, cause: route };
      return await exchange(request, route, ending.signal, sink);
    } finally {
      clearTimeout(timer);
      // Ends a search for addresses that nobody waits for any more.
      ending.abort();
    }
  }

  /** Where to connect to, all of it vetted; or why not to. */
  private async route(text: string, profile: OutboundProfile, signal: AbortSignal): Promise<Route | OutboundCause> {
    const allowed = profile.allowed ? parseRanges(profile.allowed) : this.allowed;
    const { url } = checkTargetUrl(text, allowed);
    if (url === null) return 'blocked_address';
    const literal = literalAddress(url);
    const addresses = literal === null ? await this.addressesOf(url.hostname, allowed.length > 0, signal) : [literal];
    if (addresses === null) return signal.aborted ? 'timeout' : 'dns';
    const strict = needsAllowedAddress(url);
    const vet = (address: string): boolean => (strict ? isAllowed(address, allowed) : !isForbidden(address, allowed));
    // One bad address among good ones is an attack or a mistake; trying the good ones would make it a matter of luck.
    if (!addresses.every(vet)) return 'blocked_address';
    const agent = url.protocol === 'https:' ? this.secure : this.plain;
    const confirm = (address: string | undefined): Error | null =>
      address !== undefined && vet(address)
        ? null
        : new BlockedAddress('Connected to another address than the vetted.');
    return { url, addresses, agent, confirm, connectMs: profile.connectMs };
  }

  private async addressesOf(name: string, inside: boolean, signal: AbortSignal): Promise<string[] | null> {
    const resolve = this.network?.resolve ?? createResolver(inside);
    try {
      const addresses = await Promise.race([resolve(name, signal), aborted(signal)]);
      return addresses.length > 0 ? [...new Set(addresses)].sort() : null;
    } catch {
      return null;
    }
  }
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
