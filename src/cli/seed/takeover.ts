import type { Client } from 'pg';

/** Tables filled in bulk, in the order in which requests lock them. */
const TABLES = ['tickets', 'ticket_texts', 'ticket_comments', 'sla_clocks', 'ticket_ratings', 'ticket_durations'];

/** What was put away for the time of a bulk load. */
export interface TakeOver {
  indexes: { name: string; create: string }[];
  triggers: { table: string; name: string }[];
}

/**
 * Locks the ticket tables and prepares them for a bulk load. Indexes that guard nothing (neither unique nor behind a
 * constraint) are dropped: sorting once at the end costs a fraction of keeping thirty of them in order row by row.
 * For the owner of the tables, inside the transaction that gives everything back: an interrupted one changes nothing.
 */
export async function takeOver(client: Client): Promise<TakeOver> {
  await client.query(`LOCK TABLE ${TABLES.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  const indexes = await client.query<TakeOver['indexes'][number]>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS create
     FROM pg_index i WHERE i.indrelid = ANY($1::regclass[]) AND NOT i.indisunique
       AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)
     ORDER BY i.indexrelid`,
    [TABLES],
  );
  if (indexes.rows.length) await client.query(`DROP INDEX ${indexes.rows.map(({ name }) => name).join(', ')}`);
  const triggers = await client.query<TakeOver['triggers'][number]>(
    `SELECT tgrelid::regclass::text AS table, quote_ident(tgname) AS name FROM pg_trigger
     WHERE tgrelid = ANY($1::regclass[]) AND NOT tgisinternal AND tgenabled = 'O' ORDER BY oid`,
    [TABLES],
  );
  for (const { table, name } of triggers.rows) await client.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name}`);
  return { indexes: indexes.rows, triggers: triggers.rows };
}

/**
 * Runs `work` without checking references row by row: the rows referred to must be locked. The tables' own triggers still
 * run. For superusers and those who were granted these settings; for others the checks stay, at the price of time.
 */
export async function withoutReferenceChecks<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const { rows } = await client.query<{ allowed: boolean }>(
    `SELECT has_parameter_privilege('session_replication_role', 'SET')
       AND has_parameter_privilege('wal_compression', 'SET') AS allowed`,
  );
  if (!rows[0]?.allowed) return work();
  // Compressing what the write-ahead log gets of new indexes costs a quarter of building them.
  await client.query('SET LOCAL session_replication_role = replica; SET LOCAL wal_compression = off');
  const value = await work();
  await client.query('SET LOCAL session_replication_role = origin');
  return value;
}

/** Builds the indexes again, with more memory and helpers than everyday statements get, and resets the triggers. */
export async function giveBack(
  client: Client,
  { indexes, triggers }: TakeOver,
  built: (count: number) => void,
): Promise<void> {
  await client.query(`SET LOCAL maintenance_work_mem = '1GB'; SET LOCAL max_parallel_maintenance_workers = 2`);
  for (const [place, { create }] of indexes.entries()) {
    await client.query(create);
    built(place + 1);
  }
  for (const { table, name } of triggers) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`);
}
