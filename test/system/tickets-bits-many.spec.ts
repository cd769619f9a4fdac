import { type Folded, openFolded } from '../support/folded';
import { patience } from '../support/machine';
import { watchReads, type WatchedReads } from '../support/watched-reads';

/** More than are sorted: then a page is looked for along the list. */
const MANY = 3_200;
const LATER = 9_000;
const FAR = 100;
/** Tickets that are left to be sorted, and their texts. */
const FEW = 1_000;

let folded: Folded;
let watched: WatchedReads;
let workspaceId: number;
/** Where nothing has bits. */
let unfolded: number;

beforeAll(async () => {
  folded = await openFolded(4);
  workspaceId = folded.workspace();
  unfolded = folded.workspace();
  watched = await watchReads(folded.database, folded.scratch.url);
  // All that has the word is older than the rest; both have the other one.
  for (const each of [workspaceId, unfolded]) await fill(each);
  await folded.made(workspaceId);
  await folded.sql.rows('VACUUM ANALYZE tickets, ticket_texts, ticket_word_bits');
}, patience(60_000));
afterAll(async () => {
  await watched.close();
  await folded.close();
});

async function fill(workspace: number): Promise<void> {
  await folded.sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, priority, csat_score, created_at, updated_at)
     SELECT $1, n * 4, 'TCK-' || n, CASE WHEN n <= ${MANY} THEN 'printer ' ELSE 'screen ' END || 'works ' || n % 7, (ARRAY['low', 'high'])[1 + n % 2],
       CASE WHEN n % 50 < 2 THEN 2 END,
       '2026-01-01'::timestamptz + n * interval '1 minute', '2026-02-01'::timestamptz + n * 7919 % 9001 * interval '1 minute'
     FROM generate_series(1, ${LATER}) n`,
    [workspace],
  );
}

/** Tickets and texts that the statements of the last list have looked at. */
const visited = (workspace = workspaceId): Promise<number> => watched.visited(workspace, ['tickets', 'ticket_texts']);

const ORDERS: Readonly<Record<string, string>> = {
  '-created_at': 'created_at DESC, id DESC',
  created_at: 'created_at, id',
  '-updated_at': 'updated_at DESC, id DESC',
  subject: 'subject COLLATE text_order, id',
  '-priority': 'priority_rank DESC, id DESC',
};
const SEARCHES: Readonly<Record<string, string>> = {
  printer: `subject LIKE 'printer%'`,
  'print wor': `subject LIKE 'printer%'`,
  work: 'true',
};
const EACH = Object.keys(SEARCHES).flatMap((q) =>
  Object.keys(ORDERS).flatMap((sort) => [0, 60, 1_500, 3_190].map((offset) => [q, sort, offset] as const)),
);

/** Where something is asked for, and what is asked besides. */
interface Asked {
  workspace?: number;
  filter?: Record<string, string>;
  where?: string;
}

async function compare(
  q: string,
  sort: string,
  offset: number,
  { workspace = workspaceId, filter = {}, where = SEARCHES[q] }: Asked = {},
): Promise<void> {
  const page = { q, sort, ...filter, per_page: undefined, limit: '25', offset: String(offset) };
  const [row] = await folded.sql.rows<{ ids: number[]; total: number }>(
    `SELECT (SELECT count(*)::integer FROM tickets WHERE workspace_id = $1 AND ${where}) AS total,
       ARRAY(SELECT id::integer FROM tickets WHERE workspace_id = $1 AND ${where} ORDER BY ${ORDERS[sort]} LIMIT 25 OFFSET ${offset}) AS ids`,
    [workspace],
  );
  watched.take();
  expect(await folded.listed(workspace, page)).toEqual(row);
}

it.each(EACH)(
  'a page of many that have a word is found without going through all: %s, %s, %i',
  async (q, sort, offset) => {
    await compare(q, sort, offset);
    // A page at the beginning is looked for among the first ones.
    expect(await visited()).toBeLessThan(offset < FAR ? 2 * LATER : FEW);
  },
);

const AFTER = '2026-02-03T00:00:00.000Z';

it.each(EACH.filter(([, , offset]) => offset <= 1_500))(
  'so is one of those that something else bounds: %s, %s, %i',
  async (q, sort, offset) => {
    const where = `(${SEARCHES[q]}) AND updated_at > '${AFTER}'`;
    await compare(q, sort, offset, { filter: { updated_after: AFTER }, where });
    expect(await visited()).toBeLessThan(offset < FAR ? 2 * LATER : FEW);
  },
);

it.each(Object.keys(ORDERS).flatMap((sort) => [0, 1_500, 3_190].map((offset) => [sort, offset] as const)))(
  'what the index of words finds is sorted, rather than looked for along the list: %s, %i',
  async (sort, offset) => {
    await compare('printer', sort, offset, { workspace: unfolded });
    expect(await visited(unfolded)).toBeLessThan(3 * MANY);
    const where = `${SEARCHES.printer} AND priority = 'high'`;
    await compare('printer', sort, offset, { workspace: unfolded, filter: { priority: 'high' }, where });
    expect(await visited(unfolded)).toBeLessThan(3 * MANY);
  },
);

it('the newest of a period are met where it ends', async () => {
  const end = '2026-01-05T00:00:00.000Z';
  await compare('work', '-created_at', 25, { filter: { created_before: end }, where: `created_at < '${end}'` });
  // The records of the chunk in which the period ends are looked at, and the page.
  expect(await visited()).toBeLessThan(2_048 + FEW);
});

it.each(['-updated_at', 'subject'])('what bits tell nearly is sorted, too: %s', async (sort) => {
  const workspace = folded.workspace();
  await folded.sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, updated_at)
     SELECT $1, n, 'TCK-' || n, (ARRAY['alpha beta', 'beta alpha', 'alpha and beta'])[1 + n % 3] || ' ' || n, '2026-02-01'::timestamptz + n * 7919 % 9601 * interval '1 minute'
     FROM generate_series(1, 9600) n`,
    [workspace],
  );
  // Both words are in all of them; no more than half of these have the phrase.
  await folded.made(workspace, { ...folded.limits, share: 0.5 });
  await folded.sql.rows('ANALYZE tickets, ticket_texts');
  await compare('"alpha beta"', sort, 1_600, { workspace, where: `subject LIKE 'alpha beta%'` });
  // All that have both words are looked at, then those that have the phrase.
  expect(await visited(workspace)).toBeLessThan(9_600 + FEW);
});

/** Of phrases of three words, bits know but that these are there. */
const PHRASES: Readonly<Record<string, string>> = {
  '"printer works 3"': `subject = 'printer works 3'`,
  '"works printer"': 'false',
  '"works 3" screen': `subject = 'screen works 3'`,
};
const FILTERS: readonly [filter: Record<string, string>, where: string][] = [
  [{ csat_score: '2' }, 'csat_score = 2'],
  [{ csat_score: 'none' }, 'csat_score IS NULL'],
  [{ priority: 'high', csat_score: '2' }, `priority = 'high' AND csat_score = 2`],
  [{ updated_after: AFTER }, `updated_at > '${AFTER}'`],
  [{ created_after: AFTER }, `created_at > '${AFTER}'`],
  [{ created_before: AFTER, csat_score: '2' }, `created_at < '${AFTER}' AND csat_score = 2`],
];

it.each(Object.keys(PHRASES).flatMap((q) => FILTERS.map(([filter, where]) => [q, filter, where] as const)))(
  'what bits tell nearly is found beside filters of all kinds: %s, %j',
  async (q, filter, own) => {
    const where = `(${PHRASES[q]}) AND ${own}`;
    for (const sort of ['-created_at', 'subject'])
      for (const offset of [0, 20]) await compare(q, sort, offset, { filter, where });
  },
);

it('what is not folded yet is found, too', async () => {
  await folded.sql.rows(
    `UPDATE tickets SET subject = CASE WHEN number <= ${4 * MANY} THEN 'screen gone' ELSE 'printer came' END WHERE workspace_id = $1 AND number % 40 = 0`,
    [workspaceId],
  );
  for (const sort of Object.keys(ORDERS)) for (const offset of [0, 1_500]) await compare('printer', sort, offset);
});
