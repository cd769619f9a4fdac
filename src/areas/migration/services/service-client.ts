import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import { hasArrived } from '../../../platform/delivery/attempt';
import { retryAfterSeconds } from '../../../platform/delivery/retries';
import { Outbound } from '../../../platform/outbound/outbound';
import type { OutboundRequest, OutboundResult } from '../../../platform/outbound/outbound-result';
import { type OutboundProfile, SERVICE_PROFILE } from '../../../platform/outbound/profile';
import { baseOf } from './service-credentials';
import type { ServiceRequest, ServiceSource, Settings } from './service-source';
import { ServiceTrouble } from './service-trouble';

/** A source that somebody may ask. */
export interface OpenService {
  source: ServiceSource;
  settings: Settings;
}

/** For one answer; a page may take several. */
const ANSWER_MS = 30_000;

/** Asks services, by the one client with its address rules; what is not an answer is a `ServiceTrouble`. */
@Injectable()
export class ServiceClient {
  private readonly profile: OutboundProfile;

  constructor(
    private readonly outbound: Outbound,
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'migrationAllowCidrs'>,
  ) {
    this.profile = { ...SERVICE_PROFILE, timeoutMs: ANSWER_MS, allowed: config.migrationAllowCidrs };
  }

  /** @returns JSON @throws ServiceTrouble */
  async ask(service: OpenService, request: ServiceRequest, timeoutMs = ANSWER_MS): Promise<unknown> {
    if (timeoutMs <= 0) throw new ServiceTrouble('busy', 'It takes too long to answer.');
    const result = await this.send(service, request, Math.min(timeoutMs, ANSWER_MS));
    const trouble = troubleOf(service.source.name, result);
    if (trouble) throw trouble;
    try {
      const answer: unknown = JSON.parse(result.body ?? '');
      return answer;
    } catch {
      throw new ServiceTrouble('broken', `${service.source.name} answers something that is no JSON.`, result.status);
    }
  }

  /** The answer as it is. */
  send({ source, settings }: OpenService, request: ServiceRequest, timeoutMs: number): Promise<OutboundResult> {
    const { method = 'GET', path, body } = request;
    const headers: Record<string, string> = { accept: 'application/json', ...source.headers(settings) };
    const message: OutboundRequest = {
      method,
      url: `${new URL(baseOf(settings)).origin}${path}`,
      headers,
      timeoutMs,
    };
    if (body)
      Object.assign(message, {
        body: JSON.stringify(body),
        headers: { ...headers, 'content-type': 'application/json' },
      });
    return this.outbound.send(message, this.profile);
  }
}

/** What keeps an answer from being one; null for one of 2xx that came whole. */
export function troubleOf(name: string, result: OutboundResult): ServiceTrouble | null {
  const { status, error, headers } = result;
  if (hasArrived(result)) return null;
  if (error?.code === 'too_large') return new ServiceTrouble('broken', `A page of ${name} has more than 8 MB.`, status);
  if (error?.code === 'invalid_request')
    return new ServiceTrouble('credentials', `${name} cannot be asked: ${error.message}`);
  if (error) return new ServiceTrouble('busy', `${name}: ${error.message}`, status);
  // Retry-After is a moment of the world outside, whatever the clock of the workspace shows.
  const asked = retryAfterSeconds(headers['retry-after'], new Date());
  if (status === 429) return new ServiceTrouble('busy', `${name} asks for a pause (429).`, status, asked);
  if (status === 401)
    return new ServiceTrouble('credentials', `${name} lets nobody in with these credentials (401).`, status);
  if (status === null || status >= 500 || status === 408)
    return new ServiceTrouble('busy', `${name} has trouble of its own (${status ?? 'no answer'}).`, status, asked);
  if (status >= 300 && status < 400)
    return new ServiceTrouble('refused', `${name} has moved to another address (${status}); give that one.`, status);
  return new ServiceTrouble('refused', `${name} does not say that (${status}).`, status);
}
