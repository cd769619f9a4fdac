import { Client } from 'pg';
import { groupStatement } from '../../src/areas/search/group-statement';
import { ticketSearch } from '../../src/areas/tickets/ticket-search';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { ticketWords } from '../../src/areas/tickets/ticket-words';
import { bitStatement } from '../../src/platform/resource/read/bits-plan';
import { parseListQuery, type RawQuery } from '../../src/platform/resource/read/list-query';
import { foundStatement, MANY } from '../../src/platform/resource/read/search-plan';
import { wholeSelection } from '../../src/platform/resource/read/selection';
import { termsOf } from '../../src/platform/search/terms';
import { askedKeys, noteAsked } from '../../src/platform/search/bits/asked-phrases';
import { commonWords, forgetCommonWords } from '../../src/platform/search/bits/common-words';
import { FOLD_LIMITS } from '../../src/platform/search/bits/word-folder';
import type { Statement } from '../../src/platform/postgres/statement-batch';
import { bothWays } from '../support/both-ways';
import { type Folded, openFolded } from '../support/folded';
import { patience } from '../support/machine';
import { visitedRows } from '../support/visited-rows';

const TABLES = [
  'ticket_word_folds',
  'ticket_common_words',
  'ticket_word_bits',
  'ticket_word_spans',
  'ticket_rank_bounds',
  'ticket_unfolded',
] as const;

let folded: Folded;
beforeAll(async () => {
  folded = await openFolded(10);
});
afterAll(() => folded.close());

/** The statement of a list by bits, as of what is known to be common. */
function byBits(workspaceId: number, query: RawQuery, mostBorder?: number): Promise<Statement | null> {
  return folded.within(workspaceId, async () => {
    const plan = parseListQuery(ticketResource, query, wholeSelection(ticketResource));
    const common = await commonWords(folded.database, ticketWords, workspaceId);
    return bitStatement(ticketResource, plan, workspaceId, {}, common, null, mostBorder);
  });
}

/** The total, and the ids, or numbers by bits, unless they are many. */
async function answer(workspaceId: number, statement: Statement | null): Promise<[string | null, string[]] | null> {
  if (!statement) return null;
  const [found] = await folded.within(workspaceId, () => folded.database.rawRead(statement));
  return [found?.[0] ?? null, found?.[1]?.slice(1, -1).split(',').sort() ?? []];
}

/** The same of an answer with ids, with numbers. */
async function numbered(found: Awaited<ReturnType<typeof answer>>): Promise<typeof found> {
  if (!found) return null;
  const rows = await folded.sql.rows<{ number: string }>(
    'SELECT number::text FROM tickets WHERE id = ANY ($1::bigint[])',
    [found[1]],
  );
  return [found[0], rows.map(({ number }) => number).sort()];
}

const total = async (workspaceId: number, query: RawQuery): Promise<string | null | undefined> =>
  (await answer(workspaceId, await byBits(workspaceId, query)))?.[0];

/** Open tickets of low priority, numbers from the first to the last. */
async function load(workspaceId: number, subject: string, first: number, last: number): Promise<void> {
  await folded.sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, priority)
     SELECT $1, n, 'TCK-' || n, replace($2, '#', n::text) || CASE WHEN n % 3 = 0 THEN ' third' ELSE '' END, (ARRAY['low', 'high'])[1 + n % 2]
     FROM generate_series($3::bigint, $4) n`,
    [workspaceId, subject, first, last],
  );
}

it('bits answer where all terms are common, with what is not folded yet', async () => {
  const workspaceId = folded.workspace();
  await load(workspaceId, 'the vpn', 1, 10);
  await folded.made(workspaceId);
  expect(await total(workspaceId, { q: 'the v', status: 'open' })).toBe('10');
  await folded.sql.rows(`UPDATE tickets SET status = 'closed' WHERE workspace_id = $1 AND number = 1`, [workspaceId]);
  await load(workspaceId, 'VPN', 9_000, 9_000);
  expect(await total(workspaceId, { q: 'the v', status: 'open' })).toBe('9');
  expect(await total(workspaceId, { q: 'v' })).toBe('11');
  expect(await total(workspaceId, { q: 'v', created_after: '2020-01-01T00:00:00Z' })).toBe('11');
  expect(await total(workspaceId, { q: 'v zebra' })).toBeUndefined();
});

it.each([undefined, 0])('bits tell who is of a period, however many are at its border: %s', async (mostBorder) => {
  const workspaceId = folded.workspace();
  await load(workspaceId, 'the vpn', 1, 40);
  await load(workspaceId, 'the vpn', 9_001, 9_040);
  // The first chunk lies within January and February, the second in March, with one of January.
  await folded.sql.rows(
    `UPDATE tickets SET created_at = CASE WHEN number <= 40 THEN timestamptz '2026-01-01Z' + number * interval '1 day'
       WHEN number = 9001 THEN '2026-01-15Z' ELSE timestamptz '2026-03-01Z' + (number - 9000) * interval '1 minute' END WHERE workspace_id = $1`,
    [workspaceId],
  );
  await folded.made(workspaceId);
  const found = async (query: RawQuery): Promise<unknown> => {
    const [n, numbers] = (await answer(workspaceId, await byBits(workspaceId, { q: 'vpn', ...query }, mostBorder)))!;
    expect(numbers.length).toBe(Number(n));
    return Number(n);
  };
  expect(await found({ created_before: '2026-02-20' })).toBe(41);
  expect(await found({ created_before: '2026-01-15T00:00:00.001Z' })).toBe(15);
  expect(await found({ created_after: '2026-01-31', created_before: '2026-03-01T00:10:00Z' })).toBe(18);
  expect(await found({ created_after: '2026-02-20', priority: 'low' })).toBe(20);
  // What changes afterwards is looked at itself until it is folded, and then makes its chunk's span wider.
  await folded.sql.rows(`UPDATE tickets SET created_at = '2025-05-05' WHERE workspace_id = $1 AND number = 9040`, [
    workspaceId,
  ]);
  expect(await found({ created_before: '2026-01-01' })).toBe(1);
  await folded.database.system(() => folded.step(workspaceId));
  expect(await folded.sql.rows('SELECT FROM ticket_unfolded WHERE workspace_id = $1', [workspaceId])).toEqual([]);
  expect(await found({ created_before: '2026-01-01' })).toBe(1);
  expect(await found({ created_after: '2026-02-20' })).toBe(38);
});

it('bits keep to themselves when the words are others than was thought, or too much is not folded', async () => {
  const workspaceId = folded.workspace();
  await load(workspaceId, 'the vpn', 1, 10);
  await folded.made(workspaceId);
  expect(await total(workspaceId, { q: 'vpn' })).toBe('10');
  await folded.sql.rows(`DELETE FROM ticket_common_words WHERE workspace_id = $1 AND word = 'vpn'`, [workspaceId]);
  expect(await total(workspaceId, { q: 'vpn' })).toBeNull();
  expect((await folded.listed(workspaceId, { q: 'vpn' })).total).toBe(10);
  // What changed but in its words is in the way of filters alone.
  const note = `INSERT INTO ticket_unfolded (workspace_id, number, id, worded) SELECT $1, 1, n, $2 FROM generate_series(1, 3001) n`;
  for (const worded of [false, true]) {
    await folded.sql.rows(note, [workspaceId, worded]);
    expect([worded, await total(workspaceId, { q: 'the' })]).toEqual([worded, worded ? null : '10']);
    expect(await total(workspaceId, { q: 'the', status: 'open' })).toBeNull();
  }
});

it('bits go with the workspace', async () => {
  const workspaceId = folded.workspace();
  await load(workspaceId, 'the vpn', 1, 10);
  await folded.made(workspaceId);
  await folded.within(workspaceId, () => noteAsked(folded.database, ticketWords, workspaceId, ['the vpn']));
  await folded.sql.rows('DELETE FROM tickets WHERE workspace_id = $1', [workspaceId]);
  await folded.sql.rows('DELETE FROM workspaces WHERE id = $1', [workspaceId]);
  for (const table of [...TABLES, ticketWords.asked]) {
    expect([table, await folded.sql.rows(`SELECT FROM ${table} WHERE workspace_id = $1`, [workspaceId])]).toEqual([
      table,
      [],
    ]);
  }
});

it('small workspaces have no bits: what was noted of them is forgotten, of large ones it is kept', async () => {
  const [large, one, other] = [folded.workspace(), folded.workspace(), folded.workspace()];
  await load(large, 'the vpn', 1, 1);
  await folded.made(large);
  for (const workspaceId of [large, one, other]) await load(workspaceId, 'the vpn', 2, 4);
  const sweep = { ...FOLD_LIMITS, changes: 1 };
  await folded.database.system(() => folded.step(one, folded.database, sweep));
  for (const table of TABLES) {
    const rows = await folded.sql.rows(`SELECT DISTINCT workspace_id AS id FROM ${table} WHERE workspace_id >= $1`, [
      large,
    ]);
    expect([table, rows]).toEqual([table, [{ id: large }]]);
  }
});

describe('right after a bulk load, of which PostgreSQL has no statistics yet', () => {
  const LOADED = 3_600;
  let workspaceId: number;
  let client: Client;
  beforeAll(async () => {
    workspaceId = folded.workspace();
    await load(workspaceId, 's#', 1, LOADED);
    await folded.made(workspaceId);
    await folded.sql.rows(`UPDATE tickets SET priority = 'urgent' WHERE workspace_id = $1 AND number % 100 = 0`, [
      workspaceId,
    ]);
    client = new Client({
      connectionString: folded.scratch.serviceUrl,
      connectionTimeoutMillis: patience(30_000),
    });
    await client.connect();
    await client.query(`SET ROLE helpdesk_app; SET app.workspace_id = ${workspaceId}`);
  });
  afterAll(() => client.end());

  it.each<RawQuery>([
    { q: 's' },
    { q: 's', priority: 'high' },
    { q: 's third', priority: 'low,urgent' },
    { q: 's', created_after: '2020-01-01T00:00:00Z' },
    { q: 's', priority: 'high,low', created_before: '2020-01-01T00:00:00Z' },
    { q: 'third', ids: '1,2,3' },
  ])('bits find what the index of words finds, and look at no row for each of them: %j', async (query) => {
    const plan = parseListQuery(ticketResource, query, wholeSelection(ticketResource));
    const statement = await byBits(workspaceId, query);
    const byWords = foundStatement(ticketResource, plan, workspaceId, {});
    const [total = null, numbers] = (await numbered(await answer(workspaceId, byWords))) ?? [];
    // Of many, bits tell but how many they are.
    const isMany = Number(total) >= MANY;
    expect(await answer(workspaceId, statement)).toEqual([total, isMany ? [] : numbers]);
    expect(await visitedRows(client, statement!)).toBeLessThan(20 * LOADED);
  });

  it.each(['s', 'third', 's1', '"third" s', 's3 third', 'third s99'])(
    'bits give GET /search the same hits: %s',
    async (text) => {
      const [ours, theirs] = await bothWays(folded, workspaceId, text);
      expect({ ...ours, exact: false }).toEqual(theirs);
      expect(theirs!.hits.length).toBeGreaterThan(0);
    },
  );

  it('words of many records are found without bits, too, and less of them with filters', async () => {
    await folded.sql.rows(`DELETE FROM ticket_common_words WHERE workspace_id = $1 AND word = 's'`, [workspaceId]);
    forgetCommonWords(folded.database, ticketWords, workspaceId);
    expect((await folded.listed(workspaceId, { q: 's' })).total).toBe(LOADED);
    expect((await folded.listed(workspaceId, { q: 's', priority: 'high,low' })).total).toBe(LOADED * 0.99);
    expect((await folded.listed(workspaceId, { q: 's', priority: 'urgent' })).total).toBe(LOADED / 100);
  });
});

it('a phrase that was asked for gets bits of its own, and the oldest of these make room', async () => {
  const workspaceId = folded.workspace();
  const { sql, database } = folded;
  await folded.sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject) SELECT $1, n, 'TCK-' || n,
       CASE WHEN n % 30 = 0 THEN 'red green' WHEN n % 31 = 0 THEN 'green red' WHEN n % 2 = 0 THEN 'red and green' ELSE 'green and red' END
     FROM generate_series(8000, 8400) n`,
    [workspaceId],
  );
  await folded.made(workspaceId);
  const guesses = async (text: string): Promise<{ looked: number | undefined; total: number | undefined }> => {
    forgetCommonWords(database, ticketWords, workspaceId);
    const common = await folded.within(workspaceId, () => commonWords(database, ticketWords, workspaceId));
    const statement = groupStatement(ticketSearch, text, termsOf(text), workspaceId, common);
    const [row] = await folded.within(workspaceId, () => database.read(statement));
    return { looked: row?.guesses, total: row?.total };
  };
  const ask = async (text: string, mostLearned = 500): Promise<void> => {
    const common = await folded.within(workspaceId, () => commonWords(database, ticketWords, workspaceId));
    await folded.within(workspaceId, () =>
      noteAsked(database, ticketWords, workspaceId, askedKeys(termsOf(text), common)),
    );
    await database.system(() => folded.step(workspaceId, database, { ...folded.limits, mostLearned }));
  };
  expect(await guesses('red-green')).toEqual({ looked: 14, total: 14 });
  // What changed since it was folded is in the bits, too, as it is now.
  await sql.rows(`UPDATE tickets SET subject = 'red green' WHERE workspace_id = $1 AND number = 8001`, [workspaceId]);
  await sql.rows(`UPDATE tickets SET subject = 'red' WHERE workspace_id = $1 AND number = 8010`, [workspaceId]);
  await sql.rows(`UPDATE tickets SET status = 'closed' WHERE workspace_id = $1 AND number = 8040`, [workspaceId]);
  await ask('red-green');
  expect(await guesses('red-green')).toEqual({ looked: undefined, total: 14 });
  await folded.database.system(() => folded.step(workspaceId));
  expect(await guesses('red-green')).toEqual({ looked: undefined, total: 14 });
  await ask('"green red"', 1);
  expect(await guesses('"green red"')).toEqual({ looked: undefined, total: 11 });
  expect(await guesses('red-green')).toEqual({ looked: 14, total: 14 });
  expect(
    await sql.rows(`SELECT FROM ticket_word_bits WHERE workspace_id = $1 AND word = 'red green'`, [workspaceId]),
  ).toEqual([]);
  // Where all is made anew, what was learned is learned again.
  await sql.rows(
    'UPDATE ticket_word_folds SET ready = false, chunks = 0, newest_when_chosen = NULL WHERE workspace_id = $1',
    [workspaceId],
  );
  await folded.made(workspaceId);
  expect(await guesses('"green red"')).toEqual({ looked: 11, total: 11 });
  await folded.database.system(() => folded.step(workspaceId));
  expect(await guesses('"green red"')).toEqual({ looked: undefined, total: 11 });
});
