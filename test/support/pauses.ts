import { Client } from 'pg';
import { administer } from './scratch-database';
import { until } from './until';

/**
 * Notes in a database of the test's own for how long each failure puts a row off: exactly, however late the test looks,
 * and also when the service has tried again by then.
 *
 * @param url of the database, as the superuser
 * @param due the column with the moment of the next attempt
 */
export async function notePauses(url: string, table: string, due: string): Promise<void> {
  await administer(
    url,
    'CREATE TABLE pauses (workspace_id bigint, failures integer, seconds float8)',
    `CREATE FUNCTION note_pause() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
       INSERT INTO public.pauses VALUES (NEW.workspace_id, NEW.failures, extract(epoch FROM NEW.${due} - now())); RETURN NULL;
     END $$`,
    `CREATE TRIGGER note_pause AFTER UPDATE ON ${table} FOR EACH ROW WHEN (NEW.failures > OLD.failures) EXECUTE FUNCTION note_pause()`,
  );
}

/** The noted pauses of a workspace in seconds, once there are so many; `next` makes the next attempt come. */
export async function pausesOf(
  url: string,
  workspaceId: number,
  count: number,
  next: () => Promise<unknown>,
): Promise<number[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (let seconds: number[] = []; ;) {
      // The service may have tried again by itself, and be ahead.
      const known = seconds.length;
      await until(`it has failed more than ${known} times`, async () => {
        const text = 'SELECT seconds FROM pauses WHERE workspace_id = $1 ORDER BY failures';
        seconds = (await client.query<{ seconds: number }>(text, [workspaceId])).rows.map((row) => row.seconds);
        return seconds.length > known;
      });
      if (seconds.length >= count) return seconds.slice(0, count).map(Math.round);
      await next();
    }
  } finally {
    await client.end();
  }
}
