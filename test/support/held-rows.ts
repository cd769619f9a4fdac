import { Client } from 'pg';
import { testServices } from './services';
import { until } from './until';

/** What is known of a transaction of the test's own while it holds rows. */
export interface Held {
  /** Until so many connections wait for it, or for one that does. */
  readonly waiting: (count?: number) => Promise<void>;
}

/** Backends that wait for another one, directly or for each other. */
const WAITING = `
  WITH RECURSIVE waiting AS (
    SELECT a.pid FROM pg_stat_activity a WHERE $1::integer = ANY (pg_blocking_pids(a.pid))
    UNION
    SELECT a.pid FROM waiting w JOIN pg_stat_activity a ON w.pid = ANY (pg_blocking_pids(a.pid))
  ) SELECT count(*)::integer AS n FROM waiting`;

/**
 * Holds the rows that a query finds until `work` is over: who would change one waits, who only names it does not
 * (`FOR NO KEY UPDATE`), unless the query locks otherwise by itself.
 */
export async function holdingRows<T>(
  query: string,
  values: readonly unknown[],
  work: (held: Held) => Promise<T>,
): Promise<T> {
  const url = testServices().adminUrl;
  const [holder, watcher] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
  await Promise.all([holder.connect(), watcher.connect()]);
  try {
    const [self] = (await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
    await holder.query('BEGIN');
    await holder.query(/ FOR /.test(query) ? query : `${query} FOR NO KEY UPDATE`, [...values]);
    const waiting = (count = 1): Promise<void> =>
      until(`${count} wait for it`, async () => {
        const [found] = (await watcher.query<{ n: number }>(WAITING, [self?.pid])).rows;
        return (found?.n ?? 0) >= count;
      });
    return await work({ waiting });
  } finally {
    await Promise.all([holder.end(), watcher.end()]);
  }
}
