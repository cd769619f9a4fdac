import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/context/runtime-config';
import type { Actor } from '../../../platform/context/actor';
import { Database } from '../../../platform/database/database';
import { isTransient } from '../../../platform/database/database-errors';
import { ApiError, fail, invalid } from '../../../platform/errors/api-error';
import type {} from '../../../platform/http/fastify-request';
import { FileResult } from '../../../platform/http/results';
import { ServiceAddress } from '../../../platform/http/service-address';
import { networkOf } from '../../../platform/limits/page-limit.guard';
import { PageLimits } from '../../../platform/limits/page-limits';
import type { LinkTarget } from '../../../platform/secrets/public-links';
import type { Arrival, SignedRequest } from '../adapters/adapter';
import { isRecord } from '../../../platform/text/json';
import { ChannelsService } from '../channels.service';
import { Inbound, type Taken } from './inbound.service';

/** What one channel is told in any 60 seconds: messages and the like, and requests without any. */
const PER_CHANNEL = 6_000;

/** Requests of the other sides of channels: limited, verified by their bytes, and only then read. */
@Injectable()
export class SignedInbound {
  constructor(
    private readonly database: Database,
    private readonly channels: ChannelsService,
    private readonly inbound: Inbound,
    private readonly limits: PageLimits,
    private readonly address: ServiceAddress,
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'pageRateLimit'>,
  ) {}

  async take({ workspaceId, id }: LinkTarget, request: FastifyRequest): Promise<FileResult | { taken: object[] }> {
    const [channel, network] = [`channel:${workspaceId}:${id}`, networkOf(request.ip)];
    // Whoever knows the address cannot use up what the other side may send.
    await this.limits.admit(`${channel}:${network}`, PER_CHANNEL);
    const { adapter, settings } = await this.database.inWorkspace(workspaceId, OUTSIDE, () =>
      this.channels.openActive(id),
    );
    const reception = adapter.receive?.(this.signed(request), settings);
    if (!reception) fail('not_found', 'This channel takes no requests.');
    if (reception.kind === 'answer') return new FileResult(reception.type, reception.text);
    if (reception.kind === 'refused') {
      // Whoever cannot sign is stopped before they have tried for long; the other side itself never is.
      await this.limits.admit(`unsigned:${network}`, this.config.pageRateLimit);
      if (reception.why === 'form') {
        const { field, code } = reception.problem ?? { field: 'body', code: 'format' };
        invalid(field, code, reception.message);
      }
      fail('unauthorized', reception.message);
    }
    if (reception.arrivals.length === 0) await this.limits.admit(channel, PER_CHANNEL);
    const one = async (arrival: Arrival): Promise<Taken> => {
      await this.limits.admit(channel, PER_CHANNEL);
      return this.one(workspaceId, id, arrival);
    };
    const taken = await all(reception.arrivals, one);
    const { acknowledgement } = adapter;
    if (acknowledgement) return new FileResult(acknowledgement.type, acknowledgement.text);
    return { taken: taken.map(({ messageId, duplicate, ignored }) => ({ message_id: messageId, duplicate, ignored })) };
  }

  /** A unit of work of its own. */
  private one(workspaceId: number, id: number, arrival: Arrival): Promise<Taken> {
    return this.database.inWorkspace(workspaceId, actorOf(arrival), async () =>
      this.inbound.take(await this.channels.openActive(id), arrival),
    );
  }

  private signed({ method, url, headers, query, rawBody }: FastifyRequest): SignedRequest {
    return {
      method,
      url: this.address.base() + url,
      headers,
      query: isRecord(query) ? query : {},
      body: rawBody ?? Buffer.alloc(0),
      nowMs: Date.now(),
    };
  }
}

/**
 * What was taken stays so when another one fails, and the whole is told again. What passes stops the rest, which would overtake it; what will
 * never be taken does not keep the others waiting for it.
 */
async function all(arrivals: readonly Arrival[], one: (arrival: Arrival) => Promise<Taken>): Promise<Taken[]> {
  const taken: Taken[] = [];
  const failures: unknown[] = [];
  for (const arrival of arrivals) {
    try {
      taken.push(await one(arrival));
    } catch (error) {
      if (!isOfItself(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return taken;
}

/** Whether what failed would fail again, and others would not: no channel that is paused or gone, no database that is away. */
function isOfItself(error: unknown): boolean {
  return error instanceof ApiError ? error.type === 'validation_error' : !isTransient(error);
}

const OUTSIDE: Actor = { type: 'requester', id: null, name: 'requester' };

function actorOf(arrival: Arrival): Actor {
  const from = 'from' in arrival ? arrival.from : null;
  return { ...OUTSIDE, name: from?.name ?? from?.email ?? from?.phone ?? from?.handle ?? OUTSIDE.name };
}
