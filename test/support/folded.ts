import { DataSource } from 'typeorm';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { ticketWords } from '../../src/areas/tickets/ticket-words';
import { newContext, runInContext } from '../../src/platform/context/current';
import type { Principal } from '../../src/platform/context/principal';
import { Database } from '../../src/platform/database/database';
import type { Queries } from '../../src/platform/postgres/statement-batch';
import { parseListQuery, type RawQuery } from '../../src/platform/resource/read/list-query';
import { findPage } from '../../src/platform/resource/read/page';
import { parseSelection } from '../../src/platform/resource/read/selection';
import { PeriodicJobs } from '../../src/platform/schedule/periodic-jobs';
import { FOLD_LIMITS, WordFolder } from '../../src/platform/search/bits/word-folder';
import { Workers } from '../../src/platform/workers/workers.service';
import { testDataSource } from './data-source';
import { patience } from './machine';
import { administer, type ScratchDatabase, scratchDatabase } from './scratch-database';
import { openSql, type Sql } from './sql';

/** A word in a tenth of the tickets is common here. */
const LIMITS = { ...FOLD_LIMITS, smallest: 0, share: 0.1, sample: 100_000, changes: 1 };
const FIRST = 801;
const MOST_STEPS = 20;
/** Part of the statement that the folding reads records with. */
const READS_RECORDS = 'json_agg(json_build_array(n.number';

/** The database, where something is done before the folding reads records; it does not read them where that fails. */
export function beforeRecords(database: Database, work: (workspaceId: unknown) => Promise<void>): Database {
  return Object.assign(Object.create(database) as Database, {
    batch: async (queries: Queries, last?: boolean) => {
      for (const { text, values } of Object.values(queries)) if (text.includes(READS_RECORDS)) await work(values?.[0]);
      return database.batch(queries, last);
    },
  });
}

/** A database whose words are folded when a test says so, without an application. */
export interface Folded {
  scratch: ScratchDatabase;
  database: Database;
  sql: Sql;
  /** Of its steps, unless others are given. */
  limits: typeof LIMITS;
  /** A workspace that nothing else uses. */
  workspace(): number;
  /** Runs something as a request of a workspace does, in whatever transaction it opens itself. */
  within<T>(workspaceId: number, work: () => Promise<T>): Promise<T>;
  /** One step of the folding of a workspace, in the open transaction. */
  step(workspaceId: number, through?: Database, limits?: typeof LIMITS): Promise<void>;
  /** A folding of its own, which remembers what failed. */
  folder(through?: Database): WordFolder;
  /** Steps until the bits answer. */
  made(workspaceId: number, limits?: typeof LIMITS): Promise<void>;
  /** The database, where something is done when a step is about to read its first records: after it took their notes. */
  interrupted(between: () => Promise<void>): Database;
  /** How often that came about. */
  interruptions: number;
  /** The ids that a list answers by id, and its total. @param principal who asks; nobody in particular, who sees all, unless given */
  listed(workspaceId: number, query: RawQuery, principal?: Principal): Promise<{ ids: number[]; total: number }>;
  close(): Promise<void>;
}

/** @param workspaces how many a test needs */
export async function openFolded(workspaces: number): Promise<Folded> {
  const scratch = await scratchDatabase({ migrated: true });
  const options = testDataSource(scratch.serviceUrl, 4);
  const dataSource = await new DataSource(options).initialize();
  const database = new Database(dataSource);
  const sql = openSql(scratch.url);
  await administer(
    scratch.url,
    `WITH owner AS (INSERT INTO developers (name) VALUES ('folded') RETURNING id)
     INSERT INTO workspaces (id, slug, name, kind, developer_id)
     SELECT n, 'folded-' || n, 'w', 'developer', owner.id FROM generate_series(${FIRST}, ${FIRST + workspaces}) n, owner`,
  );
  const jobs = new PeriodicJobs(database, { role: 'all' });
  const workers = new Workers({ clusterWorkers: 1, slowness: patience(1_000) / 1_000 });
  let last = FIRST;
  const folded: Folded = {
    scratch,
    limits: LIMITS,
    database,
    sql,
    workspace: () => last++,
    within: (workspaceId, work) => runInContext(newContext('folded', { workspaceId }), work),
    folder: (through = database) => new WordFolder(jobs, through, workers, () => [ticketWords]),
    step: (workspaceId, through, limits = LIMITS) => folded.folder(through).step(ticketWords, workspaceId, limits),
    made: async (workspaceId, limits) => {
      for (let steps = 0; steps < MOST_STEPS; steps++) {
        const ready = await sql.rows('SELECT FROM ticket_word_folds WHERE workspace_id = $1 AND ready', [workspaceId]);
        if (ready.length > 0) return;
        await database.system(() => folded.step(workspaceId, database, limits));
      }
      throw new Error('The bits were not made.');
    },
    interruptions: 0,
    interrupted: (between) => {
      let done = false;
      return beforeRecords(database, async () => {
        if (done) return;
        done = true;
        folded.interruptions++;
        await between();
      });
    },
    listed: async (workspaceId, query, principal) => {
      const asked = { sort: 'id', per_page: '100', fields: 'id', ...query };
      const context = newContext('folded', { workspaceId, ...(principal ? { principal } : {}) });
      return runInContext(context, async () => {
        const plan = parseListQuery(ticketResource, asked, parseSelection(ticketResource, asked));
        const { text, total } = await findPage(database, ticketResource, plan, {});
        return { ids: (JSON.parse(String(text)) as { id: number }[]).map(({ id }) => id), total };
      });
    },
    close: async () => {
      await sql.end();
      await workers.onApplicationShutdown();
      database.onModuleDestroy();
      await dataSource.destroy();
      await scratch.drop();
    },
  };
  return folded;
}
