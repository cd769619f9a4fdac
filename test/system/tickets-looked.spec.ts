import { encodePosition } from '../../src/platform/resource/read/position';
import { type Folded, openFolded } from '../support/folded';
import { patience } from '../support/machine';
import { watchReads, type WatchedReads } from '../support/watched-reads';

/*
 * Lists by what counters count (status, priority, assignee), in orders that no index has them in. What they want may all lie at the other end
 * of the order: open tickets have no moment at which they were resolved.
 */

const TICKETS = 16_000;
/** Rows along the order that are looked at first, and those of a page that bits find. */
const MOST = 6_000 + 1_500;

let folded: Folded;
let watched: WatchedReads;
let workspaceId: number;
/** The second has few tickets, and no bits; the last has none. */
let users: number[];

beforeAll(async () => {
  folded = await openFolded(1);
  workspaceId = folded.workspace();
  const { sql } = folded;
  const made = await sql.rows<{ id: number }>(
    `INSERT INTO users (workspace_id, name, email, role) SELECT $1, 'User ' || n, n || '@x.example', 'agent' FROM generate_series(1, 3) n RETURNING id::integer`,
    [workspaceId],
  );
  users = made.map(({ id }) => id);
  await sql.rows(
    `INSERT INTO tickets (workspace_id, number, code, subject, status, priority, assigned_to, escalation_level, created_at, updated_at, resolved_at, sla_due_at)
     SELECT $1, n, 'TCK-' || n, 's' || n * 7919 % 16007, status, priority,
       CASE WHEN n % 5 = 0 THEN $2::bigint WHEN n % 200 = 1 THEN $3::bigint END, (n % 20 = 3)::integer,
       '2026-01-01'::timestamptz + n * interval '1 minute',
       CASE WHEN status = 'closed' THEN '2026-02-01'::timestamptz ELSE '2026-06-01'::timestamptz END + n * 7919 % 16007 * interval '1 minute',
       CASE WHEN status IN ('resolved', 'closed') THEN '2026-03-01'::timestamptz + n % 977 * interval '1 minute' END,
       CASE WHEN priority <> 'low' THEN '2026-04-01'::timestamptz + n % 1009 * interval '1 minute' END
     FROM generate_series(1, ${TICKETS}) n CROSS JOIN LATERAL (SELECT
       CASE WHEN n % 18 = 0 THEN 'resolved' WHEN n > 13000 THEN 'open' WHEN n % 9 = 1 THEN 'in_progress' ELSE 'closed' END AS status,
       (ARRAY['low', 'medium', 'medium', 'medium', 'high', 'low'])[1 + n % 6] AS priority) v`,
    [workspaceId, users[0], users[1]],
  );
  await folded.made(workspaceId);
  await sql.rows('VACUUM ANALYZE tickets, ticket_texts, ticket_word_bits, resource_tally_deltas');
  watched = await watchReads(folded.database, folded.scratch.url);
}, patience(90_000));
afterAll(async () => {
  await watched.close();
  await folded.close();
});

const FILTERS: readonly (readonly [filter: Record<string, string>, where: string])[] = [
  [{ status: 'open' }, `status = 'open'`],
  [{ status: 'closed' }, `status = 'closed'`],
  [{ status: 'resolved', priority: 'medium' }, `status = 'resolved' AND priority = 'medium'`],
  [{ priority: 'high' }, `priority = 'high'`],
  [{ priority: 'urgent' }, 'false'],
  [{ assigned_to: '{1}', status: 'open' }, `assigned_to = {1} AND status = 'open'`],
  [{ assigned_to: '{0}', priority: 'low,high' }, `assigned_to = {0} AND priority IN ('low', 'high')`],
  [
    { assigned_to: 'none,{2}', status: 'in_progress,open' },
    `assigned_to IS NULL AND status IN ('in_progress', 'open')`,
  ],
];
const SORTS: Readonly<Record<string, string>> = {
  created_at: 'created_at',
  id: 'id',
  subject: 'subject COLLATE text_order',
  status: 'status_rank',
  priority: 'priority_rank',
  updated_at: 'updated_at',
  resolved_at: 'resolved_at',
  sla_due_at: 'sla_due_at',
  escalation_level: 'escalation_level',
};
const named = (text: string): string => text.replaceAll(/\{(\d)\}/g, (_, place: number) => String(users[place]));
const EACH = FILTERS.flatMap(([filter, where]) =>
  Object.keys(SORTS).flatMap((name) => [name, `-${name}`].map((sort) => ({ filter, where, sort }))),
);

it.each(EACH)('are found by looking at few: $filter, $sort', async ({ filter, where, sort }) => {
  const asked = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, named(value)]));
  const column = SORTS[sort.replace('-', '')]!;
  const way = sort.startsWith('-') ? 'DESC' : 'ASC';
  const all = await folded.sql.rows<{ id: number; key: string | null }>(
    `SELECT id::integer, ${column}::text AS key FROM tickets WHERE workspace_id = $1 AND ${named(where)} ORDER BY ${column} ${way} NULLS LAST, id ${way}`,
    [workspaceId],
  );
  const ids = (from: number): number[] => all.slice(from, from + 25).map(({ id }) => id);
  const found = (more: Record<string, string>): Promise<{ ids: number[]; total: number }> =>
    folded.listed(workspaceId, { ...asked, sort, per_page: undefined, limit: '25', ...more });
  watched.take();
  for (const offset of [0, 25, 75, 300, 999]) {
    expect(await found({ offset: String(offset) })).toEqual({ ids: ids(offset), total: all.length });
    expect(await watched.visited(workspaceId, ['tickets'])).toBeLessThan(MOST);
  }
  const last = all[24];
  if (!last) return;
  const key = last.key ?? (way === 'ASC' ? 'infinity' : '-infinity');
  const position = encodePosition({ direction: 'after', sort, key, id: last.id });
  expect(await found({ position })).toEqual({ ids: ids(25), total: all.length });
});

it('each level has a rank, whoever has it by now', async () => {
  const rows = await folded.sql.rows<{ levels: number[] }>(
    `SELECT numbers::integer[] AS levels FROM ticket_rank_bounds WHERE workspace_id = $1 AND sort_column IN ('status_rank', 'priority_rank', 'escalation_level', 'csat_score')`,
    [workspaceId],
  );
  const levels = Array.from({ length: 15 }, (_, level) => level);
  expect(rows.map((row) => row.levels)).toEqual([levels, levels, levels, levels]);
});
