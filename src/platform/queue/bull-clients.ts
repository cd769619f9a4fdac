import { Inject, Injectable } from '@nestjs/common';
import type { BullRootModuleOptions } from '@nestjs/bull';
import { Redis } from 'ioredis';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { Database } from '../database/database';

/** The roles in which Bull asks for connections. */
type ClientType = 'client' | 'subscriber' | 'bclient';

/** When Bull gives a command up. Long, because what Bull was just fetching is then lost until the sweeper misses it; who cannot wait does not. */
const COMMAND_MS = 10_000;
const RENEW_GAP_MS = 3000;

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

  constructor(
    @Inject(RUNTIME_CONFIG) private readonly config: Pick<RuntimeConfig, 'redisUrl'>,
    private readonly database: Database,
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
        drainDelay: 5,
      },
    };
  }

  /** Ends all connections and opens them anew, whatever state they seem to be in; not before the last ones had a chance. */
  renew(): void {
    const now = performance.now();
    if (this.closed || now - this.renewedAt < RENEW_GAP_MS) return;
    this.renewedAt = now;
    for (const client of this.clients) client.disconnect(true);
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
      connectionName: `helpdesk-api-bull-${type}`,
      enableReadyCheck: false,
      connectTimeout: 2000,
      disconnectTimeout: 200,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1000),
      ...(type === 'client'
        ? {
            enableOfflineQueue: false,
            maxRetriesPerRequest: 0,
            commandTimeout: COMMAND_MS,
            autoResendUnfulfilledCommands: false,
          }
        : { maxRetriesPerRequest: null }),
    });
    client.setMaxListeners(0);
    // The canary tells what matters; an unheard 'error' event would end the process.
    client.on('error', () => undefined);
    this.clients.add(client);
    this.shared.set(type, client);
    return client;
  }
}
