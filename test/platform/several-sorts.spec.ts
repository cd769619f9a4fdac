import { parseListQuery } from '../../src/platform/resource/read/list-query';
import { parseSelection } from '../../src/platform/resource/read/selection';
import { decodePosition, encodePosition } from '../../src/platform/resource/read/position';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { ApiError } from '../../src/platform/errors/api-error';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { useSql } from '../support/sql';
import { thrownBy } from '../support/thrown-by';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const RANK: Readonly<Record<string, number>> = { low: 1, medium: 2, high: 3, urgent: 4 };

let home: TestWorkspace;
let all: Fields[];

beforeAll(async () => {
  home = await makeWorkspace(server);
  const priorities = Object.keys(RANK);
  for (let index = 0; index < 24; index++)
    await makeTicket(home.api, { subject: `S${index % 3}`, priority: priorities[index % 4] });
  // Many ties, and some without a value.
  await sql.rows(
    `UPDATE tickets SET resolved_at = CASE WHEN id % 4 = 0 THEN NULL ELSE '2026-01-01'::timestamptz + (id % 3) * interval '1 day' END WHERE workspace_id = $1`,
    [home.id],
  );
  all = (await home.api.get('/tickets?per_page=100')).rows;
});

const VALUES: Readonly<Record<string, (row: Fields) => number | string | null>> = {
  priority: ({ priority }) => RANK[priority as string] ?? 0,
  subject: ({ subject }) => subject as string,
  resolved_at: ({ resolved_at }) => resolved_at as string | null,
  id: ({ id }) => id,
};

/** What a list sorted so must answer: keys in their order, nothing last, and at the end the id. */
function sorted(sort: string): number[] {
  const keys = sort.split(',').map((key) => ({ name: key.replace('-', ''), down: key.startsWith('-') }));
  const last = { name: 'id', down: keys.at(-1)?.down ?? false };
  const compare = (a: Fields, b: Fields): number => {
    for (const { name, down } of [...keys, last]) {
      const [one, other] = [VALUES[name]?.(a) ?? null, VALUES[name]?.(b) ?? null];
      if (one === other) continue;
      if (one === null) return 1;
      if (other === null) return -1;
      return (one < other ? -1 : 1) * (down ? -1 : 1);
    }
    return 0;
  };
  return all.toSorted(compare).map(({ id }) => id);
}

it.each([
  '-priority,subject',
  'priority,-subject',
  'subject,-priority,id',
  '-priority,resolved_at',
  'subject,-resolved_at,-id',
  'resolved_at,-priority,subject',
  '-resolved_at,priority',
  'resolved_at',
  '-resolved_at',
])('sorted by %s, a list is in that order, and its links lead over every record once, there and back', async (sort) => {
  const expected = sorted(sort);
  const get = async (path: string): Promise<{ ids: number[]; next: string | null; prev: string | null }> => {
    const { rows, body } = (await home.api.get(path)).expect(200);
    return { ids: rows.map(({ id }) => id), next: body.links?.next ?? null, prev: body.links?.prev ?? null };
  };
  expect((await get(`/tickets?sort=${sort}&per_page=100&fields=id`)).ids).toEqual(expected);
  const pages: number[][] = [];
  let page = await get(`/tickets?sort=${sort}&per_page=5&fields=id`);
  for (;;) {
    pages.push(page.ids);
    if (page.next === null) break;
    page = await get(page.next);
  }
  expect(pages.flat()).toEqual(expected);
  for (const before of pages.slice(0, -1).toReversed()) {
    page = await get(page.prev ?? '');
    expect(page.ids).toEqual(before);
  }
  // Counted off, too, and from the other end.
  expect((await get(`/tickets?sort=${sort}&offset=7&limit=4&fields=id`)).ids).toEqual(expected.slice(7, 11));
  expect((await get(`/tickets?sort=${sort}&q=S1&per_page=100&fields=id`)).ids).toEqual(
    expected.filter((id) => all.find((row) => row.id === id)?.subject === 'S1'),
  );
});

it.each([
  ['priority,zzz', 'unknown_sort'],
  ['priority,', 'unknown_sort'],
  [',priority', 'unknown_sort'],
  ['priority,-priority', 'duplicate'],
  ['priority,status,subject,id', 'max'],
])('sort=%s is refused', async (sort, code) => {
  expect((await home.api.get(`/tickets?sort=${sort}`)).expect(422).codes).toEqual({ sort: code });
});

it('a position belongs to its keys, of their types', () => {
  const sort = '-priority,created_at';
  const moment = '2026-01-01 00:00:00+00';
  const position = { direction: 'after', sort, key: '3', more: [moment], id: 7 } as const;
  const read = (text: string): unknown => decodePosition(text, sort, 'integer', ['timestamptz']);
  expect(read(encodePosition(position))).toEqual(position);
  for (const altered of [
    { more: [] },
    { more: ['x'] },
    { more: [moment, moment] },
    { key: moment },
    { sort: '-priority' },
  ])
    expect(thrownBy(() => read(encodePosition({ ...position, ...altered })), ApiError).type).toBe('validation_error');
  const { more: _more, ...single } = position;
  expect(thrownBy(() => read(encodePosition(single)), ApiError).type).toBe('validation_error');
  const plan = parseListQuery(
    ticketResource,
    { sort, position: encodePosition(position) },
    parseSelection(ticketResource, {}),
  );
  expect([plan.sort.name, plan.further.map(({ name }) => name), plan.position]).toEqual([
    'priority',
    ['created_at'],
    position,
  ]);
});
