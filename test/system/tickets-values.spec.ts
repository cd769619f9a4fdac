import fc from 'fast-check';
import { TICKET_CHANNELS, TICKET_PRIORITIES, TICKET_STATUSES } from '../../src/areas/tickets/ticket-values';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { ticketWords } from '../../src/areas/tickets/ticket-words';
import { isNear } from '../../src/platform/resource/read/gathering';
import { parseListQuery, type RawQuery } from '../../src/platform/resource/read/list-query';
import { nearStatement, rankedStatement, rankedTotal } from '../../src/platform/resource/read/ranked-plan';
import { parseSelection } from '../../src/platform/resource/read/selection';
import { commonWords, forgetCommonWords } from '../../src/platform/search/bits/common-words';
import { type Folded, openFolded } from '../support/folded';

/** On both sides of the border between two chunks, and further on. */
const NUMBERS = [1, 2, 3, 8_191, 8_192, 8_193, 16_383, 16_384, 30_000];
const DAYS = ['2026-01-01', '2026-01-02', '2026-02-01', '2026-02-01T12:00:00Z', '2026-03-01', '2026-04-05'];

let folded: Folded;
beforeAll(async () => {
  folded = await openFolded(500);
});
afterAll(() => folded.close());

const none = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);
const values = fc.record({
  subject: fc.constantFrom('a', 'A', 'ab', 'älter', 'zebra', 'the vpn', 'the vpn is slow', '手机', '~', 'z'),
  status: fc.constantFrom(...TICKET_STATUSES),
  priority: fc.constantFrom(...TICKET_PRIORITIES),
  channel: fc.constantFrom(...TICKET_CHANNELS),
  requester_email: none(fc.constant('ada@example.com')),
  escalation_level: fc.integer({ min: 0, max: 3 }),
  csat_score: none(fc.integer({ min: 1, max: 5 })),
  created_at: fc.constantFrom(...DAYS),
  updated_at: fc.constantFrom(...DAYS),
  resolved_at: none(fc.constantFrom(...DAYS)),
  sla_due_at: none(fc.constantFrom(...DAYS)),
  next_sla_due_at: none(fc.constantFrom(...DAYS)),
});
type Values = typeof values extends fc.Arbitrary<infer T> ? T : never;

type Change = readonly [number: number, values: Values | null];
const change: fc.Arbitrary<Change> = fc.tuple(
  fc.constantFrom(...NUMBERS),
  fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) }),
);
type Move = 'fold' | 'fail' | 'anew' | { write: Change } | { during: Change; after: Change };
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ write: change }) },
  { weight: 3, arbitrary: fc.constant('fold' as const) },
  { weight: 1, arbitrary: fc.constant('fail' as const) },
  { weight: 1, arbitrary: fc.constant('anew' as const) },
  { weight: 2, arbitrary: fc.record({ during: change, after: change }) },
);

/** Each with the same as SQL. */
const FILTERS: readonly (readonly [query: RawQuery, sql: string])[] = [
  [{ status: 'open,closed' }, `status IN ('open', 'closed')`],
  [{ priority: 'low' }, `priority = 'low'`],
  [{ channel: 'email,chat' }, `channel IN ('email', 'chat')`],
  [{ requester_email: 'none' }, 'requester_email IS NULL'],
  [{ assigned_to: 'none' }, 'assigned_to IS NULL'],
  [{ has_parent: 'true' }, 'parent_id IS NOT NULL'],
  [{ has_parent: 'false' }, 'parent_id IS NULL'],
  [{ csat_score: '5,none' }, '(csat_score = 5 OR csat_score IS NULL)'],
  [{ csat_score: 'lte:2' }, 'csat_score <= 2'],
  [{ escalation_level: 'gt:0' }, 'escalation_level > 0'],
  [{ escalation_level: 'gte:2' }, 'escalation_level >= 2'],
  [{ escalation_level: 'lt:2' }, 'escalation_level < 2'],
  ...['created', 'updated', 'resolved', 'sla_due'].flatMap((name) =>
    [...DAYS, '2025-01-01', '2026-01-01T12:00:00Z', '2026-12-31'].flatMap((day): [RawQuery, string][] => [
      [{ [`${name}_after`]: day }, `${name}_at > '${day}'`],
      [{ [`${name}_before`]: day }, `${name}_at < '${day}'`],
    ]),
  ),
];
const SEARCHES: readonly (readonly [query: RawQuery, sql: string])[] = [
  [{ q: 'the' }, `subject LIKE 'the %'`],
  [{ q: 'v the' }, `subject LIKE 'the vpn%'`],
  [{ q: 'zebra' }, `subject = 'zebra'`],
  [{ q: '手机' }, `subject = '手机'`],
];
const SORTS: Readonly<Record<string, string>> = {
  id: '',
  code: 'number',
  created_at: 'created_at',
  updated_at: 'updated_at',
  subject: 'subject COLLATE text_order',
  status: 'status_rank',
  priority: 'priority_rank',
  sla_due_at: 'sla_due_at',
  next_sla_due_at: 'next_sla_due_at',
  resolved_at: 'resolved_at',
  escalation_level: 'escalation_level',
  last_requester_comment_at: 'last_requester_comment_at',
};
const sort = fc.constantFrom(...Object.keys(SORTS).flatMap((name) => [name, `-${name}`]));
const list = fc.record({
  filters: fc.uniqueArray(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...FILTERS) },
      { weight: 1, arbitrary: fc.constantFrom(...SEARCHES) },
    ),
    { maxLength: 3, selector: ([query]) => Object.keys(query)[0] },
  ),
  sorts: fc.uniqueArray(sort, { minLength: 1, maxLength: 3, selector: (name) => name.replace('-', '') }),
  offset: fc.integer({ min: 0, max: NUMBERS.length }),
  limit: fc.integer({ min: 1, max: 4 }),
  few: fc.constantFrom(0, 1, 3),
});
type List = typeof list extends fc.Arbitrary<infer T> ? T : never;

/** Rows and total of a list by bits; null where they do not tell. */
async function byBits(workspaceId: number, { filters, sorts, offset, limit, few }: List): Promise<unknown> {
  const asked: RawQuery = Object.assign({}, ...filters.map(([query]) => query)) as RawQuery;
  const query = { ...asked, sort: sorts.join(','), offset: String(offset), limit: String(limit), fields: 'id' };
  return folded.within(workspaceId, async () => {
    const plan = parseListQuery(ticketResource, query, parseSelection(ticketResource, query));
    const known = await commonWords(folded.database, ticketWords, workspaceId);
    const statement = rankedStatement(ticketResource, plan, workspaceId, {}, known, few);
    const total = rankedTotal(ticketResource, plan, workspaceId, {}, known);
    if (!statement || !total) return null;
    const [[row], [counted]] = [await folded.database.rawRead(statement), await folded.database.rawRead(total)];
    expect(counted?.[0]).toBe(row?.[6]);
    if (row?.[6] === null) return null;
    const near = isNear(plan) ? nearStatement(ticketResource, plan, workspaceId, {}, known) : null;
    if (near) {
      const [first] = await folded.database.rawRead(near);
      // As many rows as there are, or it is no answer.
      if (Number(first?.[5]) === Number(row?.[5])) expect(first).toEqual(row);
    }
    return { ids: (JSON.parse(row?.[0] ?? '') as { id: number }[]).map(({ id }) => id), total: Number(row?.[6]) };
  });
}

/** The same by a look at every ticket. */
async function byRows(workspaceId: number, { filters, sorts, offset, limit }: List): Promise<unknown> {
  const where = ['workspace_id = $1', ...filters.map(([, sql]) => sql)].join(' AND ');
  const directions = sorts.map((name) => (name.startsWith('-') ? 'DESC' : 'ASC'));
  const keys = sorts.map((name, index) => [SORTS[name.replace('-', '')], directions[index]]);
  const order = [...keys.filter(([key]) => key), ['id', directions.at(-1)]];
  const at = sorts.findIndex((name) => name.endsWith('id'));
  if (at >= 0) order.splice(at, order.length, ['id', directions[at]]);
  const [row] = await folded.sql.rows<{ ids: number[]; total: number }>(
    `SELECT (SELECT count(*) FROM tickets WHERE ${where})::integer AS total,
       ARRAY(SELECT id::integer FROM tickets WHERE ${where} ORDER BY ${order.map(([key, way]) => `${key} ${way} NULLS LAST`).join(', ')} LIMIT ${limit} OFFSET ${offset}) AS ids`,
    [workspaceId],
  );
  return { ids: row?.ids, total: row?.total };
}

async function write(workspaceId: number, [number, row]: Change): Promise<void> {
  const { database } = folded;
  const of = [workspaceId, number];
  await folded.within(workspaceId, () =>
    database.transaction(async () => {
      if (row === null) return database.query('DELETE FROM tickets WHERE workspace_id = $1 AND number = $2', of);
      const entries = Object.entries(row);
      const set = entries.map(([name], index) => `${name} = $${index + 3}`).join(', ');
      const all = [...of, ...entries.map(([, value]) => value)];
      const found = await database.query(
        `UPDATE tickets SET ${set} WHERE workspace_id = $1 AND number = $2 RETURNING id`,
        all,
      );
      if (found.length > 0) return;
      await database.query(
        `INSERT INTO tickets (workspace_id, number, code, ${entries.map(([name]) => name).join(', ')})
         VALUES ($1, $2, 'TCK-' || $2::bigint, ${entries.map((_, index) => `$${index + 3}`).join(', ')})`,
        all,
      );
    }),
  );
}

async function make(workspaceId: number, next: Move): Promise<void> {
  const { database, sql } = folded;
  if (next === 'anew') {
    await sql.rows(
      'UPDATE ticket_word_folds SET ready = false, chunks = 0, newest_when_chosen = NULL WHERE workspace_id = $1',
      [workspaceId],
    );
  } else if (next === 'fold') await database.system(() => folded.step(workspaceId));
  else if (next === 'fail') {
    const broken = folded.interrupted(() => Promise.reject(new Error('killed')));
    await database.system(() => folded.step(workspaceId, broken)).catch(() => undefined);
  } else if ('write' in next) await write(workspaceId, next.write);
  else {
    const through = folded.interrupted(() => write(workspaceId, next.during));
    await database.system(async () => {
      await folded.step(workspaceId, through);
      await write(workspaceId, next.after);
    });
  }
  forgetCommonWords(database, ticketWords, workspaceId);
}

it('a column that no ticket had a value of is ranked once some have', async () => {
  const workspaceId = folded.workspace();
  const ticket = (subject: Values['subject'], resolved: string | null): Values => ({
    subject,
    status: 'open',
    priority: 'low',
    channel: 'email',
    requester_email: null,
    escalation_level: 0,
    csat_score: null,
    created_at: '2026-01-01',
    updated_at: '2026-01-01',
    resolved_at: resolved,
    sla_due_at: null,
    next_sla_due_at: null,
  });
  const fold = (): Promise<void> => make(workspaceId, 'fold');
  for (const number of [1, 2, 3]) await write(workspaceId, [number, ticket('a', null)]);
  await folded.made(workspaceId);
  // Whatever is folded makes room for what is beyond all values.
  await write(workspaceId, [1, ticket('ab', null)]);
  await fold();
  for (const [number, day] of [
    [2, '2026-02-01'],
    [3, '2026-01-02'],
  ] as const) {
    await write(workspaceId, [number, ticket('a', day)]);
    await fold();
  }
  for (const filters of [[], [[{ resolved_after: '2026-01-02' }, `resolved_at > '2026-01-02'`]] as const]) {
    const asked: List = { filters: [...filters], sorts: ['resolved_at'], offset: 0, limit: 4, few: 0 };
    expect(await byBits(workspaceId, asked)).toEqual(await byRows(workspaceId, asked));
  }
});

it('lists by bits are what a look at every ticket finds, whatever was written, folded, interrupted and begun anew before', async () => {
  const first = fc.array(values, { maxLength: NUMBERS.length });
  const moves = fc.array(fc.tuple(move, list), { minLength: 4, maxLength: 14 });
  let [answered, searches] = [0, 0];
  await fc.assert(
    fc.asyncProperty(first, moves, fc.array(list, { minLength: 20, maxLength: 20 }), async (rows, rest, lists) => {
      const workspaceId = folded.workspace();
      for (const [index, row] of rows.entries()) await write(workspaceId, [NUMBERS[index]!, row]);
      await folded.made(workspaceId);
      const compare = async (next: unknown, asked: List): Promise<void> => {
        const ours = await byBits(workspaceId, asked);
        if (ours === null) return;
        answered++;
        if (asked.filters.some(([query]) => query.q !== undefined)) searches++;
        expect([next, asked, ours]).toEqual([next, asked, await byRows(workspaceId, asked)]);
      };
      forgetCommonWords(folded.database, ticketWords, workspaceId);
      for (const [next, asked] of rest) {
        await make(workspaceId, next);
        await compare(next, asked);
      }
      await folded.made(workspaceId);
      forgetCommonWords(folded.database, ticketWords, workspaceId);
      for (const asked of lists) await compare('made', asked);
    }),
    { numRuns: 12 },
  );
  expect(answered).toBeGreaterThan(12 * 15);
  expect(searches).toBeGreaterThan(12);
  expect(folded.interruptions).toBeGreaterThan(0);
});
