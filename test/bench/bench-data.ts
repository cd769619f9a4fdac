import { Client } from 'pg';
import { createProgressLine } from './progress-line';
import { openSession, type Session } from '../../src/cli/session';
import { seedWorkspace } from '../../src/cli/seed/workspace';
import type { ServiceUrls } from '../../src/config';
import { readBigintsAsNumbers } from '../../src/platform/database/data-source';
import { migrate } from '../support/migrate';
import type { RealTexts } from './real-texts';

/** A workspace to measure, with a token whose limits are active but far away. */
export interface BenchWorkspace {
  id: number;
  slug: string;
  token: string;
}

export interface BenchData {
  /** Half of the tickets. */
  measured: BenchWorkspace;
  /** 1,000 tickets, made anew by every run. */
  small: BenchWorkspace;
}

const PLAN = {
  key: 'bench',
  rate_limit_per_minute: 10_000_000,
  monthly_quota: 1_000_000_000_000,
  overage_enabled: true,
};
const SMALL = 1_000;

/**
 * Migrates, and seeds what an earlier run has not: half of the tickets (with comments) in one workspace, half in another.
 *
 * @param tickets in all
 * @param alone all of them in the measured workspace
 */
export async function prepareData(
  services: ServiceUrls,
  dataDir: string,
  tickets: number,
  { alone = false } = {},
): Promise<BenchData> {
  const { databaseUrl, migrateDatabaseUrl } = services;
  await migrate(migrateDatabaseUrl);
  return openSession({ dataDir }, databaseUrl, async (session) => {
    await session.plans.put(PLAN);
    const half = alone ? tickets : Math.ceil(tickets / 2);
    const measured = await workspace(session, `bench-${half}`);
    await fill(databaseUrl, measured, half, 1);
    if (!alone) await fill(databaseUrl, await workspace(session, `bench-other-${half}`), half, 2);
    const small = await workspace(session, `bench-small-${Date.now()}`);
    await fill(databaseUrl, small, SMALL, 3);
    return { measured, small };
  });
}

/**
 * A workspace of so many tickets with comments, which the first run seeds.
 *
 * @param texts what the tickets say; generated unless given
 */
export async function prepareWorkspace(
  { databaseUrl, migrateDatabaseUrl }: ServiceUrls,
  dataDir: string,
  tickets: number,
  texts?: RealTexts,
): Promise<BenchWorkspace> {
  await migrate(migrateDatabaseUrl);
  return openSession({ dataDir }, databaseUrl, async (session) => {
    await session.plans.put(PLAN);
    const made = await workspace(session, `bench-${tickets}${texts ? '-real' : ''}`);
    await fill(databaseUrl, made, tickets, 1, texts);
    return made;
  });
}

async function workspace({ provisioning, tokens }: Session, slug: string): Promise<BenchWorkspace> {
  const found =
    (await provisioning.findWorkspace(slug)) ??
    (await provisioning.createWorkspace({ name: slug, slug, plan: PLAN.key }));
  const { token } = await tokens.create({ workspaceId: found.id, scopes: ['*'], name: 'Bench' });
  return { id: found.id, slug, token };
}

async function fill(
  databaseUrl: string,
  { id, slug }: BenchWorkspace,
  tickets: number,
  seed: number,
  texts?: RealTexts,
): Promise<void> {
  const present = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ n: number }>('SELECT count(*) AS n FROM tickets WHERE workspace_id = $1', [
      id,
    ]);
    return rows[0]?.n ?? 0;
  });
  if (present >= tickets) return;
  const say = createProgressLine(slug);
  const { seconds } = await seedWorkspace({
    databaseUrl,
    workspaceId: id,
    tickets,
    comments: true,
    seed,
    progress: say,
    ...(texts ? { text: texts.next } : {}),
  });
  console.log(`${slug}: ${tickets} tickets in ${seconds} s.`);
}

/**
 * Tables for the bare handler to insert into: one with the rows and the indexes of `tickets` (and the index behind its
 * search), one with the primary key and the index of the default order alone. Neither has triggers or references.
 */
export async function prepareBareTables(databaseUrl: string, measured: BenchWorkspace): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ there: boolean }>(
      `SELECT to_regclass('bare_tickets_lean') IS NOT NULL AS there`,
    );
    if (rows[0]?.there) return;
    console.log('Preparing the tables of the bare handler.');
    const { rows: columns } = await client.query<{ list: string }>(
      `SELECT string_agg(quote_ident(attname), ', ') AS list FROM pg_attribute
       WHERE attrelid = 'tickets'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    );
    const list = columns[0]?.list ?? '';
    const like = 'INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING IDENTITY INCLUDING CONSTRAINTS';
    const copy = (table: string): string =>
      `INSERT INTO ${table} (${list}) SELECT ${list} FROM tickets WHERE workspace_id = ${measured.id} ORDER BY id`;
    const { rows: indexes } = await client.query<{ create: string }>(
      `SELECT replace(replace(pg_get_indexdef(indexrelid), ' ON public.tickets ', ' ON bare_tickets '), ' INDEX ', ' INDEX bare_') AS create
       FROM pg_index WHERE indrelid = 'tickets'::regclass`,
    );
    await client.query(`
      BEGIN;
      SET LOCAL maintenance_work_mem = '512MB';
      CREATE SEQUENCE bare_numbers START 100000000;
      CREATE TABLE bare_tickets (LIKE tickets ${like});
      CREATE TABLE bare_tickets_lean (LIKE tickets ${like}, PRIMARY KEY (workspace_id, id));
      ${copy('bare_tickets')};
      ${copy('bare_tickets_lean')};
      ${indexes.map(({ create }) => create).join(';\n')};
      CREATE INDEX bare_texts ON bare_tickets USING gin
        (search_terms(workspace_id, words_of(subject || ' ' || code || ' ' || description), length(words_of(subject))));
      CREATE INDEX bare_lean_order ON bare_tickets_lean (workspace_id, created_at, id);
      SELECT setval(pg_get_serial_sequence(t, 'id'), 1000000000) FROM unnest(ARRAY['bare_tickets', 'bare_tickets_lean']) AS t;
      COMMIT;
    `);
    await client.query('VACUUM (ANALYZE) bare_tickets, bare_tickets_lean');
  });
}

/** A connection of the owner, outside row-level security. */
export async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  readBigintsAsNumbers();
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
