import type { Database } from '../database/database';
import { sqlState } from '../database/database-errors';

/** What stays, and is no record of the workspace: accounts, and what the work on them goes by. */
const OF_THE_ACCOUNT = [
  'apps',
  'idempotency_keys',
  'quota_usage',
  'sandboxes',
  'subscriptions',
  'tokens',
  'work',
  'workspace_logos',
  'workspaces',
];
/** Rows of one statement. */
const BATCH = 500;
/** Rounds over all tables: each frees rows of others, and counts what the one before took away. */
const MOST_ROUNDS = 50;
/** Of a foreign key, as it comes and with ON DELETE RESTRICT. */
const REFERRED = ['23503', '23001'];

interface Table {
  name: string;
  /** What a row is made of, but for its workspace; SQL. */
  columns: string;
  /** Has records, rather than what follows from them. */
  is_record: boolean;
  /** Columns by which rows name others of the same table, which cannot go before them: trees. */
  above: string[];
}

/** What others delete with theirs, and nobody may delete apart, is left to them. */
const TABLES = `
  SELECT quote_ident(c.relname) AS name, coalesce(bool_or(a.attname = 'version'), false) AS is_record,
    string_agg(quote_ident(a.attname), ', ') FILTER (WHERE a.attgenerated = '' AND a.attname <> 'workspace_id') AS columns,
    ARRAY(SELECT quote_ident(o.attname) FROM pg_constraint k JOIN pg_attribute o ON o.attrelid = c.oid AND o.attnum = ANY (k.conkey)
      WHERE k.conrelid = c.oid AND k.confrelid = c.oid AND k.contype = 'f' AND k.confdeltype IN ('a', 'r') AND o.attname <> 'workspace_id'
      ORDER BY 1) AS above
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1) AND has_table_privilege(c.oid, 'DELETE')
  GROUP BY c.oid HAVING bool_or(a.attname = 'workspace_id') ORDER BY c.relname`;

/** The tables whose rows belong to a workspace, of whatever areas; those that are kept are left out. Inside `Database.system()`. */
export function tablesBut(database: Database, kept: readonly string[]): Promise<Table[]> {
  return database.query<Table & Record<string, unknown>>(TABLES, [[...OF_THE_ACCOUNT, ...kept]]);
}

/**
 * Deletes all rows of a workspace, some hundred in a unit of work; whatever refers to them keeps them until it is gone itself.
 *
 * @throws Error when something is left that cannot be deleted, or comes again and again
 */
export async function emptyTables(database: Database, tables: readonly Table[], workspaceId: number): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let isEmpty = true;
    for (const table of tables) if (!(await emptyTable(database, table, workspaceId))) isEmpty = false;
    if (isEmpty) return;
  }
  throw new Error(`Workspace ${workspaceId} was not empty after ${MOST_ROUNDS} rounds.`);
}

/** Of a tree the leaves, until it has none. @returns whether there was nothing */
async function emptyTable(database: Database, { name, above }: Table, workspaceId: number): Promise<boolean> {
  const leaves = above.map(
    (column) => ` AND NOT EXISTS (SELECT FROM ${name} b WHERE b.workspace_id = $1 AND b.${column} = t.id)`,
  );
  const some = `SELECT t.ctid FROM ${name} t WHERE t.workspace_id = $1${leaves.join('')} LIMIT ${BATCH}`;
  const text = `DELETE FROM ${name} WHERE ctid = ANY (ARRAY(${some})) AND workspace_id = $1 RETURNING 1`;
  for (let total = 0; ; total += BATCH) {
    const deleted = await database.system(() => unlessReferred(database, () => database.query(text, [workspaceId])));
    if (deleted === null) return false;
    if (deleted.length < BATCH) return total + deleted.length === 0;
  }
}

/**
 * Gives a workspace the records that every new one begins with: those of one that is made for it and is gone afterwards. Ids are
 * per workspace, so they are the same there. Inside `Database.system()`.
 */
export async function beginAnew(database: Database, tables: readonly Table[], workspaceId: number): Promise<void> {
  const [pattern] = await database.query<{ id: number }>(
    `INSERT INTO workspaces (slug, name, kind, developer_id, timezone, locale, currency)
     SELECT 'reset-' || replace(gen_random_uuid()::text, '-', ''), name, kind, developer_id, timezone, locale, currency
     FROM workspaces WHERE id = $1 RETURNING id`,
    [workspaceId],
  );
  let left = tables.filter(({ is_record }) => is_record);
  while (left.length > 0) {
    const refused: Table[] = [];
    for (const table of left) if (!(await copied(database, table, pattern?.id ?? 0, workspaceId))) refused.push(table);
    if (refused.length === left.length) throw new Error(`${refused.map(({ name }) => name).join(', ')} fit nowhere.`);
    left = refused;
  }
  await database.query('DELETE FROM workspaces WHERE id = $1', [pattern?.id]);
  await database.query(
    `SELECT setval(format('counters.%I', kind || '_' || $1::bigint)::regclass, 1, false) FROM unnest(counter_kinds()) AS kind`,
    [workspaceId],
  );
}

async function copied(database: Database, { name, columns }: Table, from: number, to: number): Promise<boolean> {
  const text = `INSERT INTO ${name} (workspace_id, ${columns}) OVERRIDING SYSTEM VALUE SELECT $2, ${columns} FROM ${name} WHERE workspace_id = $1`;
  return (await unlessReferred(database, () => database.query(text, [from, to]))) !== null;
}

/** Null when a foreign key stands against it. */
async function unlessReferred<T>(database: Database, work: () => Promise<T>): Promise<T | null> {
  try {
    return await database.savepoint(work);
  } catch (error) {
    if (REFERRED.includes(sqlState(error) ?? '')) return null;
    throw error;
  }
}
