import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';

const FLUSH_MS = 60_000;

/** Remembers when each token was last used and writes it down once a minute, all tokens in one statement. */
@Injectable()
export class TokenUse implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(TokenUse.name);
  private used = new Map<number, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly database: Database) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.flush();
  }

  record(tokenId: number): void {
    this.used.set(tokenId, Date.now());
  }

  /** Writes what was recorded since the last time; on failure it is kept for the next time. */
  async flush(): Promise<void> {
    if (!this.used.size) return;
    const batch = this.used;
    this.used = new Map();
    try {
      await this.write([...batch.keys()], [...batch.values()]);
    } catch (error) {
      for (const [id, at] of batch) if (!this.used.has(id)) this.used.set(id, at);
      this.logger.warn(`last_used_at of ${batch.size} tokens was not written: ${(error as Error).message}`);
    }
  }

  private async write(ids: number[], times: number[]): Promise<void> {
    const client = await this.database.connect();
    let failure: Error | undefined;
    try {
      const stamps = times.map((at) => new Date(at).toISOString());
      await client.query('SELECT touch_tokens($1, $2)', [ids, stamps]);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }
}
