import { Inject, Injectable, Optional } from '@nestjs/common';
import type { BullRootModuleOptions } from '@nestjs/bull';
import { Redis } from 'ioredis';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { Database } from '../database/database';
import { renewConnection } from '../redis/connection';
import { TRANSPORT_PACE, type TransportPace, USUAL_PACE } from './transport-pace';

/** The roles in which Bull asks for connections. */
type ClientType = 'client' | 'subscriber' | 'bclient';

/** When Bull gives a command up. Long, because what Bull was just fetching is then lost until the sweeper misses it; who cannot wait does not. */
const COMMAND_MS = 10_000;

/**
 * Bull's connections to Redis. Bull never notices that the blocking one is dead, so they are kept at hand and renewed
 * from outside. None of them queues commands for later: what Redis does not take now is done without it.
 */
@Injectable()
export class BullClients {
  private readonly clients = new Set<Redis>();
  private readonly shared = new Map<ClientType, Redis>();
  private closed = false;
  private renewedAt = performance.now();
  /** How often all connections were renewed since the start. */
  renewals = 0;

  constructor(
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'redisUrl'>,
    private readonly database: Database,
    @Optional() @Inject(TRANSPORT_PACE) readonly pace: TransportPace = USUAL_PACE,
  ) {}

  /** How Bull is set up: queues of this database, jobs that leave nothing behind, retries and delays in PostgreSQL only. */
  async options(): Promise<BullRootModuleOptions> {
    const [id] = await this.database.system(() =>
      this.database.query<{ value: string }>(`SELECT value FROM platform_facts WHERE name = 'database_id'`),
    );
    return {
      prefix: `helpdesk:${id?.value ?? ''}`,
      createClient: (type) => this.client(type),
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
      settings: {
        lockDuration: 30_000,
        stalledInterval: 30_000,
        guardInterval: 60_000,
        retryProcessDelay: 500,
        drainDelay: this.pace.fetchSeconds,
      },
    };
  }

  /** Ends all connections and opens them anew, whatever state they seem to be in; not before the last ones had a chance. */
  renew(): void {
    const now = performance.now();
    if (this.closed || now - this.renewedAt < this.pace.renewGapMs) return;
    this.renewedAt = now;
    this.renewals++;
    for (const client of this.clients) renewConnection(client);
  }

  close(): void {
    this.closed = true;
    for (const client of this.clients) client.disconnect();
  }

  private client(type: ClientType): Redis {
    // One blocking connection per queue; the others serve all queues.
    const known = type === 'bclient' ? undefined : this.shared.get(type);
    if (known) return known;
    const client = new Redis(this.config.redisUrl, {
      enableReadyCheck: false,
      connectTimeout: 2000,
      disconnectTimeout: 200,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
      disableClientInfo: true,
      ...(type === 'client'
        ? {
            // No `connectionName`: while answers to what is sent between "connected" and "ready" are outstanding, a
            // connection must not end where the retries per request are limited. ioredis then calls the client ready
            // although it has no connection, and one that is ready is never connected again.
            enableOfflineQueue: false,
            maxRetriesPerRequest: 0,
            commandTimeout: COMMAND_MS,
            autoResendUnfulfilledCommands: false,
          }
        : { maxRetriesPerRequest: null, connectionName: `helpdesk-api-bull-${type}` }),
    });
    client.setMaxListeners(0);
    // The canary tells what matters; an unheard 'error' event would end the process.
    client.on('error', () => undefined);
    client.on('ready', () => this.opened(type, client));
    // Bull connects the blocking one again while it closes.
    client.on('connect', () => {
      if (this.closed) client.disconnect();
    });
    this.clients.add(client);
    this.shared.set(type, client);
    return client;
  }

  private opened(type: ClientType, client: Redis): void {
    if (type === 'client') client.client('SETNAME', 'helpdesk-api-bull-client').catch(() => undefined);
    // Others may take the canaries while this one is dead: its own silence is what gives it away.
    if (type === 'bclient') client.stream.setTimeout(this.pace.fetchSeconds * 2000, () => renewConnection(client));
  }
}
