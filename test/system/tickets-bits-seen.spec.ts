import { Client } from 'pg';
import { groupStatement } from '../../src/areas/search/group-statement';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { ticketSearch } from '../../src/areas/tickets/ticket-search';
import { ticketWords } from '../../src/areas/tickets/ticket-words';
import type { FoundHits } from '../../src/platform/area/search-group';
import type { Access } from '../../src/platform/context/access';
import { newContext, runInContext } from '../../src/platform/context/current';
import { type Principal, tokenPrincipal } from '../../src/platform/context/principal';
import { currentSight } from '../../src/platform/context/demand';
import type { Database } from '../../src/platform/database/database';
import type { Statement } from '../../src/platform/postgres/statement-batch';
import { parseListQuery } from '../../src/platform/resource/read/list-query';
import { countMany } from '../../src/platform/resource/read/many-counts';
import { seenFacets } from '../../src/platform/resource/read/ranked-filters';
import { wholeSelection } from '../../src/platform/resource/read/selection';
import { filled, seenRows } from '../../src/platform/resource/read/sight';
import { commonWords } from '../../src/platform/search/bits/common-words';
import { termsOf } from '../../src/platform/search/terms';
import { type Folded, openFolded } from '../support/folded';
import { patience } from '../support/machine';
import { watchReads, type WatchedReads } from '../support/watched-reads';

const TICKETS = 6_000;
/** Tickets and texts that a page may look at. */
const FEW = 2_500;

let folded: Folded;
let client: Client;
let workspaceId: number;
let watched: WatchedReads;
/** Many have the first team, and the first user; few the second ones, so these have no bits. The last user has none. */
const teams: number[] = [];
const users: number[] = [];

beforeAll(async () => {
  folded = await openFolded(1);
  client = new Client({ connectionString: folded.scratch.url });
  await client.connect();
  workspaceId = folded.workspace();
  const { database, sql } = folded;
  watched = await watchReads(database, folded.scratch.url);
  const made = async (table: string, columns: string, values: string): Promise<number[]> => {
    const text = `INSERT INTO ${table} (workspace_id, ${columns}) SELECT $1, ${values} FROM generate_series(1, 3) n RETURNING id::integer`;
    return (await sql.rows<{ id: number }>(text, [workspaceId])).map(({ id }) => id);
  };
  teams.push(...(await made('teams', 'name', `'Team ' || n`)));
  users.push(...(await made('users', 'name, email, role', `'User ' || n, n || '@x.example', 'agent'`)));
  await sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, priority, csat_score, team_id, assigned_to, created_at, updated_at)
     SELECT $1, n * 3, 'TCK-' || n, (ARRAY['alpha beta', 'beta alpha', 'gamma'])[1 + n % 3] || ' ' || n % 5, (ARRAY['low', 'high'])[1 + n % 2],
       CASE WHEN n % 50 < 2 THEN 2 END, (CASE WHEN n % 10 < 4 THEN $2 WHEN n % 100 = 4 THEN $3 WHEN n % 4 = 1 THEN $4 END)::bigint,
       (CASE WHEN n % 7 = 0 THEN $5 WHEN n % 90 = 1 THEN $6 END)::bigint,
       '2026-01-01'::timestamptz + n * interval '1 minute', '2026-02-01'::timestamptz + n * 7919 % 6007 * interval '1 minute'
     FROM generate_series(1, ${TICKETS}) n`,
    [workspaceId, teams[0], teams[1], teams[2], users[0], users[1]],
  );
  await folded.made(workspaceId);
  await sql.rows('VACUUM ANALYZE tickets, ticket_texts, ticket_word_bits');
}, patience(60_000));
afterAll(async () => {
  await client.end();
  await watched.close();
  await folded.close();
});

/** Somebody who sees the tickets of some teams, and their own. By places in `users` and `teams`; no teams: their own alone. */
interface Caller {
  user: number;
  teams: readonly number[] | null;
}
const CALLERS: readonly Caller[] = [
  { user: 0, teams: [0] },
  { user: 1, teams: [0, 1] },
  { user: 1, teams: [1] },
  { user: 2, teams: [0, 2] },
  { user: 2, teams: [] },
  { user: 0, teams: null },
  { user: 1, teams: null },
  { user: 2, teams: null },
];

function principalOf(caller: Caller): Principal {
  const user = {
    ...{ id: users[caller.user], name: 'Ada', email: 'ada@x.example', role: 'agent', role_id: null, role_name: null },
    ...{ permissions: null, ticket_scope: caller.teams ? 'teams' : 'assigned' },
    team_ids: (caller.teams ?? []).map((place) => teams[place]),
  };
  return tokenPrincipal({ token: { id: 1, name: 't', scopes: ['*'] }, user, workspace: null } as unknown as Access);
}

const within = <T>(caller: Caller, work: () => Promise<T>): Promise<T> =>
  runInContext(newContext('seen', { workspaceId, principal: principalOf(caller) }), work);

function isSeen(caller: Caller): string {
  const own = `coalesce(assigned_to = ${users[caller.user]}, false)`;
  const theirs = (caller.teams ?? []).map((place) => `coalesce(team_id = ${teams[place]}, false)`);
  return `(${[own, ...theirs].join(' OR ')})`;
}

const AFTER = '2026-02-03T00:00:00.000Z';
const LISTS: readonly [query: Record<string, string>, where: string][] = [
  [{}, 'true'],
  [{ priority: 'high' }, `priority = 'high'`],
  [{ csat_score: '2' }, 'csat_score = 2'],
  [{ updated_after: AFTER }, `updated_at > '${AFTER}'`],
  [{ assigned_to: 'none' }, 'assigned_to IS NULL'],
  [{ q: 'alpha' }, `subject LIKE '%alpha%'`],
  [{ q: 'gam' }, `subject LIKE 'gamma%'`],
  [{ q: '"beta alpha"' }, `subject LIKE 'beta alpha%'`],
  [{ q: '"alpha beta 3"' }, `subject = 'alpha beta 3'`],
  [{ q: 'alpha', priority: 'low' }, `subject LIKE '%alpha%' AND priority = 'low'`],
  [{ q: 'beta', csat_score: '2' }, `subject LIKE '%beta%' AND csat_score = 2`],
  [{ q: 'beta', updated_after: AFTER }, `subject LIKE '%beta%' AND updated_at > '${AFTER}'`],
  [{ q: 'beta', created_after: '2026-01-03' }, `subject LIKE '%beta%' AND created_at > '2026-01-03'`],
];
const ORDERS: Readonly<Record<string, string>> = {
  '-created_at': 'created_at DESC, id DESC',
  '-updated_at': 'updated_at DESC, id DESC',
  subject: 'subject COLLATE text_order, id',
};

const listed = (caller: Caller, query: Record<string, string>): Promise<{ ids: number[]; total: number }> =>
  folded.listed(workspaceId, { per_page: undefined, limit: '25', ...query }, principalOf(caller));

async function compare(caller: Caller): Promise<void> {
  for (const [query, condition] of LISTS)
    for (const [sort, order] of Object.entries(ORDERS))
      for (const offset of [0, 40, 1_100]) {
        const where = `workspace_id = $1 AND ${isSeen(caller)} AND ${condition}`;
        const [row] = await folded.sql.rows(
          `SELECT (SELECT count(*)::integer FROM tickets WHERE ${where}) AS total,
             ARRAY(SELECT id::integer FROM tickets WHERE ${where} ORDER BY ${order} LIMIT 25 OFFSET ${offset}) AS ids`,
          [workspaceId],
        );
        const found = await listed(caller, { ...query, sort, offset: String(offset) });
        expect({ query, sort, offset, ...found }).toEqual({ query, sort, offset, ...row });
      }
}

/** What `GET /search` finds for a caller: by bits, and without them. */
async function searched(caller: Caller, text: string): Promise<[FoundHits | undefined, FoundHits | undefined]> {
  return within(caller, async () => {
    const { database } = folded;
    const seen = ` AND ${seenRows(ticketResource, 't', currentSight())}`;
    const known = await commonWords(database, ticketWords, workspaceId);
    const told = seenFacets(ticketResource, seen, ticketWords, known) ?? [];
    const find = async (...by: [ReadonlySet<string>, typeof told]): Promise<FoundHits | undefined> =>
      (
        await database.read(filled(groupStatement(ticketSearch, text, termsOf(text), workspaceId, by[0], seen, by[1])))
      )[0];
    const ours = await find(known, told);
    delete ours?.guesses;
    return [ours, await find(new Set(), [])];
  });
}

it.each(CALLERS)('lists and searches show, and count, what a caller sees: %j', compare, patience(30_000));

it.each(CALLERS)('so does a search of everything, and bits count it: %j', async (caller) => {
  for (const text of ['alpha', 'gam', 'beta alpha', '"alpha beta"', '"alpha beta 3"']) {
    const [ours, theirs] = await searched(caller, text);
    expect(ours).toEqual({ ...theirs, exact: true });
  }
});

it.each([
  { q: 'beta', sort: 'subject', offset: '1100' },
  { q: 'beta', sort: '-updated_at', offset: '1500' },
  { sort: 'subject', offset: '1500' },
] as Record<string, string>[])('not by going through all that has the words, or is seen: %j', async (query) => {
  watched.take();
  await listed({ user: 0, teams: [0] }, query);
  expect(await watched.visited(workspaceId, ['tickets', 'ticket_texts'])).toBeLessThan(FEW);
});

it.each(CALLERS)('many lists are counted by bits at once: %j', async (caller) => {
  const batches: Statement[] = [];
  const { database } = folded;
  const through = Object.assign(Object.create(database) as Database, {
    rawBatch: (statements: Statement[], last?: boolean) => {
      batches.push(...statements);
      return database.rawBatch(statements, last);
    },
  });
  const counts = await within(caller, () => {
    const lists = LISTS.map(([query]) => ({
      resource: ticketResource,
      plan: parseListQuery(ticketResource, query, wholeSelection(ticketResource)),
    }));
    return countMany(through, lists, patience(10_000));
  });
  for (const [index, [query, condition]] of LISTS.entries()) {
    const where = `workspace_id = $1 AND ${isSeen(caller)} AND ${condition}`;
    const [row] = await folded.sql.rows(`SELECT count(*)::integer AS n FROM tickets WHERE ${where}`, [workspaceId]);
    expect([query, counts[index]]).toEqual([query, row?.n]);
  }
  // One statement for those that bits tell, one for what they tell but nearly or not at all; each behind its limit.
  expect(batches.map(({ text }) => text.startsWith('SET'))).toEqual([true, false, true, false]);
  expect(batches[1]?.text.split('counted AS MATERIALIZED').length).toBeGreaterThan(8);
});

it(
  'what changed hands since is told as it is now',
  async () => {
    await folded.sql.rows('UPDATE tickets SET team_id = $2 WHERE workspace_id = $1 AND number % 90 = 0', [
      workspaceId,
      teams[1],
    ]);
    await folded.sql.rows('UPDATE tickets SET assigned_to = NULL WHERE workspace_id = $1 AND number % 42 = 0', [
      workspaceId,
    ]);
    for (const caller of CALLERS) {
      await compare(caller);
      const [ours, theirs] = await searched(caller, 'beta');
      expect(ours).toEqual({ ...theirs, exact: true });
    }
  },
  patience(60_000),
);

it('were the bits wrong, nobody would be shown what is not theirs', async () => {
  // Without a note of it.
  await client.query(`SET session_replication_role = replica`);
  await client.query('UPDATE tickets SET team_id = $2, assigned_to = NULL WHERE workspace_id = $1', [
    workspaceId,
    teams[2],
  ]);
  await client.query(`RESET session_replication_role`);
  const caller = { user: 0, teams: [0] };
  for (const [query] of LISTS)
    for (const sort of Object.keys(ORDERS))
      for (const offset of ['0', '1100']) expect((await listed(caller, { ...query, sort, offset })).ids).toEqual([]);
  for (const text of ['alpha', 'beta alpha', '"alpha beta"'])
    expect((await searched(caller, text))[0]?.hits).toEqual([]);
});
