import { Client } from 'pg';
import { readBigintsAsNumbers } from '../../platform/database/data-source';
import { gatherCast } from './cast';
import { BULK_DESK, type Desk } from './desk';
import { loadTickets } from './loader';
import type { TicketText } from './text';
import { ticketGenerator } from './tickets';

/** What to fill a workspace with. */
export interface SeedOptions {
  /** As the owner of the tables. */
  databaseUrl: string;
  workspaceId: number;
  tickets: number;
  /** Also conversations on about a quarter of the tickets. */
  comments: boolean;
  /** How the desk works; the bulk one by default. */
  desk?: Desk;
  /** The same number makes the same texts and people. */
  seed?: number;
  /** What the tickets say, one after the other; generated unless given. */
  text?: () => TicketText;
  /** Connections that share the work; as many as the number of tickets is worth, unless given. */
  connections?: number;
  /** Told about every step: what is going on, and how much of the whole is done, 0 to 1. */
  progress?: (step: string, done: number) => void;
}

/** What was added, and what the workspace then holds by count and by its counters. */
export interface SeedResult {
  tickets: number;
  comments: number;
  tickets_in_workspace: number;
  seconds: number;
}

/** A database that is in no state to be seeded, in one sentence. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
}

/** From so many tickets on two connections share the work. */
const SHARED_FROM = 10_000;
/** A ticket row takes about this many bytes: good enough to tell a small table from a big one. */
const ROW_BYTES = 1_000;
/** Smaller seedings leave vacuuming to the database's own rhythm. */
const VACUUM = 10_000;
const FOLD = 100_000;

/**
 * Adds tickets, and the people, companies and categories they need, in many short transactions: nobody is kept from anything
 * meanwhile, and an interrupted seeding leaves what it has added, whole. No events are recorded.
 *
 * @throws SeedError
 */
export async function seedWorkspace(options: SeedOptions): Promise<SeedResult> {
  const started = performance.now();
  const { databaseUrl, tickets, progress = () => undefined } = options;
  readBigintsAsNumbers();
  const { connections = tickets >= SHARED_FROM ? 2 : 1 } = options;
  const client = connection(databaseUrl);
  const clients = [client, ...Array.from({ length: connections - 1 }, () => connection(databaseUrl))] as const;
  try {
    await Promise.all(clients.map((each) => each.connect()));
    progress('preparing', 0);
    const loaded = await load(clients, options, progress);
    progress('tidying up', 0.95);
    await settle(client, tickets);
    const total = await verify(client, options.workspaceId);
    progress('done', 1);
    return {
      ...loaded,
      tickets_in_workspace: total,
      seconds: Math.round((performance.now() - started) / 100) / 10,
    };
  } finally {
    await Promise.all(clients.map((each) => each.end()));
  }
}

function connection(connectionString: string): Client {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'helpdesk-api seed',
  });
  // The query that is under way fails as well; without a listener the process would end before it can say so.
  client.on('error', () => undefined);
  return client;
}

async function load(
  clients: readonly [Client, ...Client[]],
  options: SeedOptions,
  progress: NonNullable<SeedOptions['progress']>,
): Promise<{ tickets: number; comments: number }> {
  const { workspaceId, tickets, comments, seed = 1, desk = BULK_DESK, text } = options;
  for (const each of clients) {
    // What a crash of the machine takes with it is added again.
    await each.query(
      `SET ROLE helpdesk_system; SET TimeZone = 'UTC'; SET work_mem = '128MB'; SET lock_timeout = '60s'; SET synchronous_commit = off`,
    );
  }
  const [client] = clients;
  progress('people, companies and categories', 0.01);
  const cast = await inTransaction(client, () => gatherCast(client, workspaceId, tickets, seed));
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const now = rows[0]?.now.getTime() ?? Date.now();
  const ticketAt = ticketGenerator({ cast, total: tickets, withComments: comments, seed, desk, now, text });
  progress('tickets', 0.02);
  const loaded = await loadTickets(clients, workspaceId, tickets, ticketAt, (count) =>
    progress(`${count} of ${tickets} tickets`, 0.02 + (0.93 * count) / tickets),
  ).catch(explain);
  for (const each of clients) await each.query('RESET ROLE');
  return loaded;
}

async function bytesOf(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>('SELECT pg_relation_size($1) AS bytes', [table]);
  return rows[0]?.bytes ?? 0;
}

/** Totals in one lookup, fresh statistics, and a visibility map for index-only scans. */
async function settle(client: Client, tickets: number): Promise<void> {
  // Without statistics the plan of the folding is a bad one for so many rows.
  await client.query('ANALYZE resource_tally_deltas');
  for (;;) {
    const { rows } = await client.query<{ folded: number }>('SELECT fold_tallies($1) AS folded', [FOLD]);
    if ((rows[0]?.folded ?? 0) < FOLD) break;
  }
  await client.query('ANALYZE ticket_stat_deltas');
  for (;;) {
    const { rows } = await client.query<{ folded: number }>('SELECT fold_stats($1) AS folded', [FOLD]);
    if ((rows[0]?.folded ?? 0) < FOLD) break;
  }
  const tables =
    'tickets, ticket_texts, ticket_comments, sla_clocks, ticket_ratings, contacts, companies, users, ' +
    'resource_tallies, resource_tally_deltas, ticket_stat_days, ticket_stat_months, ticket_stat_deltas, ' +
    'ticket_durations, ticket_duration_tallies';
  if (tickets >= VACUUM) await client.query(`VACUUM (ANALYZE) ${tables}`);
  else if ((await bytesOf(client, 'tickets')) / ROW_BYTES < 10 * tickets) await client.query(`ANALYZE ${tables}`);
}

/** The tickets of the workspace, provided that counting and the counters agree. */
async function verify(client: Client, workspaceId: number): Promise<number> {
  const [row] = await inTransaction(client, async () => {
    await client.query('SET LOCAL ROLE helpdesk_system');
    const { rows } = await client.query<{ counted: number; folded: number }>(
      `SELECT (SELECT count(*) FROM tickets WHERE workspace_id = $1) AS counted,
         coalesce((SELECT n FROM resource_tallies WHERE workspace_id = $1 AND resource = 'tickets' AND (d1, d2, d3) = ('*', '*', '*')), 0)
         + coalesce((SELECT sum(n) FROM resource_tally_deltas WHERE workspace_id = $1 AND resource = 'tickets'), 0)::bigint AS folded`,
      [workspaceId],
    );
    return rows;
  });
  if (!row || row.counted !== row.folded) {
    throw new SeedError(`The workspace has ${row?.counted ?? 0} tickets, but its totals say ${row?.folded ?? 0}.`);
  }
  return row.counted;
}

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const value = await work();
    await client.query('COMMIT');
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    return explain(error);
  }
}

function explain(error: unknown): never {
  if ((error as { code?: string }).code === '55P03')
    throw new SeedError('Others kept what tickets refer to locked for a minute; try again.');
  throw error;
}
