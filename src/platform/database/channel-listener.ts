import { Logger } from '@nestjs/common';
import { Client } from 'pg';

/** What a listener is told. */
export interface ChannelHandler {
  /** A notification arrived. @param payload what was announced with it */
  notified(payload: string): void;
  /** Listening began (again): whatever was announced before is unknown. */
  connected(): void;
  /** Notifications no longer arrive. */
  lost(): void;
}

const RETRY_MS = 250;
const HEARTBEAT_MS = 5000;
const ANSWER_WITHIN_MS = 2000;

/** LISTENs on a channel of PostgreSQL over a connection of its own, and keeps coming back when that breaks. */
export class ChannelListener {
  private readonly logger = new Logger(ChannelListener.name);
  private client: Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  /** The log says that nothing is heard; saying so at every attempt would fill it. */
  private complained = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly channel: string,
    private readonly handler: ChannelHandler,
  ) {}

  /** Resolves after the first attempt, successful or not; later attempts happen by themselves. */
  async start(): Promise<void> {
    const client = new Client({
      connectionString: this.databaseUrl,
      application_name: `helpdesk-api listen ${this.channel}`,
      options: '-c role=helpdesk_app',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
    });
    this.client = client;
    client.on('error', (error) => this.broken(client, error));
    client.on('end', () => this.broken(client, new Error('the connection ended')));
    client.on('notification', ({ payload = '' }) => this.handler.notified(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(this.channel)}`);
      if (this.client !== client) return;
      this.handler.connected();
      if (this.complained) this.logger.warn(`Listening on "${this.channel}" again.`);
      this.complained = false;
      this.beat(client);
    } catch (error) {
      this.broken(client, error as Error);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  /** A connection whose other end vanished without a word looks alive for ever: ask it something now and then. */
  private beat(client: Client): void {
    this.timer = setTimeout(() => {
      client.query('SELECT 1').then(
        () => this.client === client && this.beat(client),
        (error: unknown) => this.broken(client, error as Error),
      );
    }, HEARTBEAT_MS).unref();
  }

  private broken(client: Client, error: Error): void {
    if (this.client !== client || this.stopped) return;
    this.client = null;
    this.handler.lost();
    if (!this.complained)
      this.logger.warn(`Not listening on "${this.channel}": ${error.message}; trying until it works.`);
    this.complained = true;
    client.end().catch(() => undefined);
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.start(), RETRY_MS).unref();
  }
}
