import { Client } from 'pg';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { Parameters } from '../../src/platform/database/parameters';
import { type ListPlan, parseListQuery, type RawQuery } from '../../src/platform/resource/read/list-query';
import { encodePosition } from '../../src/platform/resource/read/position';
import { listStatement } from '../../src/platform/resource/read/read-plan';
import { foundStatement } from '../../src/platform/resource/read/search-plan';
import { soughtPage } from '../../src/platform/resource/read/sought-page';
import { parseSelection, wholeSelection } from '../../src/platform/resource/read/selection';
import { rowConditions, totalStatement } from '../../src/platform/resource/read/where';
import type { Statement } from '../../src/platform/postgres/statement-batch';
import { patience } from '../support/machine';
import { visitedRows } from '../support/visited-rows';
import { administer, scratchDatabase, type ScratchDatabase } from '../support/scratch-database';

/** Tickets of the workspace that PostgreSQL has never seen: half of them urgent, a third with the rare word. */
const LOADED = 3_600;
/** Each step may look at all that was loaded a few times, but never at all of it for each of them. */
const MOST_VISITED = 20 * LOADED;

let database: ScratchDatabase;
let client: Client;
beforeAll(async () => {
  database = await scratchDatabase({ migrated: true });
  const load = (workspace: number, count: number): string =>
    `INSERT INTO tickets (workspace_id, number, code, subject, priority, resolved_at, created_at)
     SELECT ${workspace}, n, 'TCK-' || n, 's' || n || CASE WHEN n % 3 = 0 THEN ' third' ELSE '' END, (ARRAY['low', 'high'])[1 + n % 2],
       CASE WHEN n % 2 = 0 THEN now() - n * interval '1 minute' END, now() - n * interval '1 minute' FROM generate_series(1, ${count}) n`;
  await administer(
    database.url,
    `WITH owner AS (INSERT INTO developers (name) VALUES ('plans') RETURNING id)
     INSERT INTO workspaces (id, slug, name, kind, developer_id) SELECT n, 'plans-' || n, 'w', 'developer', owner.id FROM generate_series(801, 802) n, owner`,
    load(801, 8_000),
    'ANALYZE tickets',
    'ANALYZE ticket_texts',
    load(802, LOADED),
  );
  client = new Client({ connectionString: database.serviceUrl, connectionTimeoutMillis: patience(30_000) });
  await client.connect();
  await client.query(`SET ROLE helpdesk_app; SET app.workspace_id = 802`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const visited = (statement: Statement): Promise<number> => visitedRows(client, statement);

describe('right after a bulk load, of which PostgreSQL has no statistics yet', () => {
  it.each<RawQuery>([
    { q: 's' },
    { q: 's', priority: 'high' },
    { q: 's', priority: 'high', offset: '1200', limit: '15' },
    { q: 's', status: 'open', sort: '-updated_at' },
    { q: 'third', priority: 'high' },
    { q: 'third', priority: 'low,high', sort: 'subject' },
    { q: 's', tags: 'vip' },
    { q: 's', ids: '1,2,3' },
    { q: 's', created_after: new Date(Date.now() - 60 * 60_000).toISOString() },
  ])('a search does not go through all rows for each of them: %j', async (query) => {
    const plan = parseListQuery(ticketResource, query, wholeSelection(ticketResource));
    const total = foundStatement(ticketResource, plan, 802, {});
    expect(await visited(total)).toBeLessThan(MOST_VISITED);
    const { rows } = await client.query<unknown[]>({
      text: total.text,
      values: total.values as unknown[],
      rowMode: 'array',
    });
    const few = { by: 'id', array: `{${(rows[0]?.[1] as string[] | null)?.join()}}` } as const;
    const found = { total: Number(rows[0]?.[0]), few: rows[0]?.[1] ? few : null, soon: false };
    expect(await visited(listStatement(ticketResource, plan, 802, {}, found.total, found))).toBeLessThan(MOST_VISITED);
  });

  it.each<[RawQuery, times: number]>([
    [{ q: 'third' }, 4],
    [{ q: 'third', sort: 'created_at', offset: '30' }, 4],
    [{ q: 'third', sort: 'subject' }, 16],
    [{ q: 'third', status: 'open', priority: 'high' }, 16],
  ])('a page of rare words looks up what it needs of the records that have them: %j', async (query, times) => {
    const plan = parseListQuery(ticketResource, query, wholeSelection(ticketResource));
    const page = soughtPage(ticketResource, plan, 802, {}, new Set());
    // In their own order: the index, the rows of the words, and those once for the total and once for the page.
    for (const reads of ['texts', 'stamped', 'stamps'] as const)
      expect(await visited(page!.statement(reads))).toBeLessThan(times * (LOADED / 3) + 500);
  });

  it.each<RawQuery>([
    { offset: '1200', limit: '15' },
    { priority: 'high', offset: '900', expand: 'comments,company,sla,assets' },
    { has_parent: 'false', sort: '-resolved_at', offset: '100' },
  ])('nor does a list without one: %j', async (query) => {
    const plan = parseListQuery(ticketResource, query, parseSelection(ticketResource, query));
    expect(await visited(listStatement(ticketResource, plan, 802, {}, LOADED))).toBeLessThan(MOST_VISITED);
  });
});

describe('what nullable columns are sorted by is found in its index', () => {
  beforeAll(() => client.query('SET app.workspace_id = 801'));
  const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

  it.each(['resolved_at', '-resolved_at'])('from a position on, by %s', async (sort) => {
    const [key, id] = [minutesAgo(4_000).replace('T', ' ').replace('Z', '+00'), 4_000];
    const position = encodePosition({ direction: 'after', sort, key, id });
    const plan = parseListQuery(ticketResource, { sort, position }, wholeSelection(ticketResource));
    expect(await visited(listStatement(ticketResource, plan, 801, {}, 8_000))).toBeLessThan(1_000);
  });

  it.each<RawQuery>([{ resolved_after: minutesAgo(20) }, { resolved_before: minutesAgo(7_980) }])(
    'within bounds: %j',
    async (query) => {
      const plan = parseListQuery(ticketResource, query, wholeSelection(ticketResource));
      expect(await visited(totalStatement(ticketResource, plan, 801, {}))).toBeLessThan(100);
    },
  );
});

describe('what lists are sorted by in the order of texts is found in its index', () => {
  beforeAll(() => client.query('SET app.workspace_id = 801'));

  it.each(['subject', '-subject'])('from a position on, by %s', async (sort) => {
    for (const direction of ['after', 'before'] as const) {
      const position = encodePosition({ direction, sort, key: 'S4000', id: 4_000 });
      const plan = parseListQuery(ticketResource, { sort, position }, wholeSelection(ticketResource));
      expect(await visited(listStatement(ticketResource, plan, 801, {}, 8_000))).toBeLessThan(1_000);
    }
  });
});

describe('filters that may leave out next to nothing, by what they leave out', () => {
  beforeAll(() => client.query('SET app.workspace_id = 801'));
  const middle = new Date(Date.now() - 4_000 * 60_000).toISOString();
  const some: RawQuery[] = [
    { resolved_before: middle },
    { resolved_after: middle },
    { resolved_before: middle, has_parent: 'false' },
    { created_before: middle, priority: 'high' },
    { created_after: middle, csat_score: 'none', priority: 'low', status: 'open' },
    { updated_after: '2000-01-01', created_before: middle, type: 'question' },
    { escalation_level: '0', sla_due_before: middle },
    { escalation_level: '1' },
    { escalation_level: 'none', merged_into_id: 'none', resolved_after: middle },
    { csat_score: 'none', company_id: 'none' },
  ];
  const planOf = (query: RawQuery): ListPlan => parseListQuery(ticketResource, query, wholeSelection(ticketResource));
  const asked = async ({ text, values }: Pick<Statement, 'text' | 'values'>): Promise<unknown[][]> =>
    (await client.query<unknown[]>({ text, values: values as unknown[], rowMode: 'array' })).rows;
  const ids = async (query: RawQuery): Promise<number[]> => {
    const parameters = new Parameters(801);
    const conditions = ['s.workspace_id = $1', ...rowConditions(planOf(query), {}, parameters)];
    const text = `SELECT s.id FROM tickets s WHERE ${conditions.join(' AND ')} ORDER BY s.subject, s.id`;
    return (await asked({ text, values: parameters.values })).map(([id]) => Number(id));
  };

  it.each(some)('as many, and the same, as by the filters: %j', async (query) => {
    const expected = await ids(query);
    for (const fewWithin of [0, undefined]) {
      const [row] = await asked(totalStatement(ticketResource, planOf(query), 801, {}, fewWithin));
      expect(Number(row?.[0])).toBe(expected.length);
    }
    // As if there were so many that they are gone through in order.
    const page = listStatement(ticketResource, planOf({ ...query, sort: 'subject', offset: '1500' }), 801, {}, 100_000);
    expect(page.text).toContain('left_out');
    const [row] = await asked(page);
    const shown = JSON.parse(String(row?.[0])) as { id: number }[];
    expect(shown.map(({ id }) => id)).toEqual(expected.slice(1_500, 1_525));
  });
});
