import { Client } from 'pg';
import { pendingMigrations } from '../database/migrate';
import { within } from '../time/within';

/**
 * Asks PostgreSQL for a sign of life on a connection of its own: one of the pool could be waited for under load, which
 * says something about the load and nothing about PostgreSQL.
 */
export class DatabaseProbe {
  private client: Client | null = null;
  private migrated = false;

  /** @param migrations names of all that there are */
  constructor(
    private readonly databaseUrl: string,
    private readonly migrations: readonly string[],
  ) {}

  /**
   * @param timeoutMs longest wait, connecting included
   * @returns names of migrations that are still to be applied
   * @throws when PostgreSQL does not answer in time
   */
  async check(timeoutMs: number): Promise<string[]> {
    try {
      return await within(timeoutMs, this.ask(timeoutMs));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    const { client } = this;
    this.client = null;
    void client?.end().catch(() => undefined);
  }

  private async ask(timeoutMs: number): Promise<string[]> {
    const client = this.client ?? (await this.connect(timeoutMs));
    if (this.migrated) {
      await client.query('SELECT 1');
      return [];
    }
    const pending = await pendingMigrations(
      this.migrations,
      async (sql) => (await client.query<{ name: string }>(sql)).rows,
    );
    this.migrated = pending.length === 0;
    return pending;
  }

  private async connect(timeoutMs: number): Promise<Client> {
    const client = new Client({
      connectionString: this.databaseUrl,
      connectionTimeoutMillis: timeoutMs,
      application_name: 'helpdesk-api health',
      options: '-c role=helpdesk_app',
    });
    // Without a listener a lost connection would end the process.
    client.on('error', () => {
      if (this.client === client) this.client = null;
    });
    this.client = client;
    await client.connect();
    return client;
  }
}
