import { Client } from 'pg';

const EVERY_MS = 100;

/** Looks at what sessions of PostgreSQL are busy with, ten times a second. */
export class BackendWatch {
  /** The longest statement seen, with its beginning. */
  longest = { ms: 0, query: '' };
  longestTransactionMs = 0;
  private readonly client: Client;
  private timer: NodeJS.Timeout | undefined;

  constructor(databaseUrl: string) {
    this.client = new Client({ connectionString: databaseUrl });
  }

  async start(): Promise<void> {
    await this.client.connect();
    const look = async (): Promise<void> => {
      await this.look().catch(() => undefined);
      this.timer = setTimeout(() => void look(), EVERY_MS);
    };
    await look();
  }

  reset(): void {
    this.longest = { ms: 0, query: '' };
    this.longestTransactionMs = 0;
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.client.end().catch(() => undefined);
  }

  private async look(): Promise<void> {
    const { rows } = await this.client.query<{ ms: number; transaction: number; query: string }>(
      `SELECT (extract(epoch FROM clock_timestamp() - query_start) * 1000)::float8 AS ms,
         (extract(epoch FROM clock_timestamp() - xact_start) * 1000)::float8 AS transaction, left(query, 300) AS query
       FROM pg_stat_activity
       WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY query_start LIMIT 1`,
    );
    for (const { ms, transaction, query } of rows) {
      if (ms > this.longest.ms) this.longest = { ms, query };
      this.longestTransactionMs = Math.max(this.longestTransactionMs, transaction);
    }
  }
}
