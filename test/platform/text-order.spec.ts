import { compareInTextOrder } from '../../src/platform/text/text-order';
import { runMigrations } from '../../src/platform/database/migrate';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { migrations } from '../support/migrate';
import { openSql, useSql } from '../support/sql';
import { scratchDatabase } from '../support/scratch-database';
import { CSV, recordsOf } from '../support/tables';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

/** Texts in their order; those beside each other differ in case, accents or writing alone, and are no different from each other. */
const IN_ORDER: readonly (readonly string[])[] = [
  ['10'],
  ['2'],
  ['alpha', 'Alpha', '\u00c1LPHA', 'a\u0301lpha'],
  ['alphabet'],
  ['Änderung', 'anderung'],
  ['m', `M${'\u0301\u0327'.repeat(15)}`],
  ['Œuvre', 'oeuvre'],
  ['Øre', 'ore'],
  ['STRASSE', 'Straße', 'strasse'],
  ['Strauß'],
  ['Zebra'],
  ['zeta'],
  ['Ωμέγα', 'ωμεγα'],
  ['Ёлка', 'елка'],
  ['ель'],
  ['ア', 'あ'],
  ['中'],
  ['\uFFFD'],
];
const TEXTS = IN_ORDER.flatMap((texts, rank) => texts.map((text) => ({ text, rank })));
/** They come in another order. */
const COMING: readonly { text: string | null; rank: number }[] = [
  ...TEXTS.map((_, place) => TEXTS[(place * 11 + 5) % TEXTS.length] ?? { text: '', rank: 0 }),
  { text: null, rank: Infinity },
  { text: null, rank: Infinity },
];

/** Places of the texts, as they came, by their rank and `then`; what is missing is last in both directions. */
function sorted(then: (one: number, other: number) => number, isTurned = false): number[] {
  const turn = isTurned ? -1 : 1;
  const rankOf = (place: number): number => COMING[place]?.rank ?? 0;
  return [...COMING.keys()].sort((one, other) => {
    const [left, right] = [rankOf(one), rankOf(other)];
    if (left === right) return then(one, other);
    return Number.isFinite(left) && Number.isFinite(right) ? turn * (left - right) : left - right;
  });
}
const up = sorted((one, other) => one - other);
const down = sorted((one, other) => other - one, true);

let home: TestWorkspace;
let ids: number[];

beforeAll(async () => {
  home = await makeWorkspace(server);
  const field = { object: 'contact', key: 'motto', label: 'Motto', type: 'text' };
  (await home.api.post('/custom-fields', field)).expect(201);
  ids = [];
  for (const [place, { text }] of COMING.entries()) {
    const email = `p${String(place).padStart(2, '0')}@people.example`;
    const custom_fields = text === null ? {} : { motto: text };
    ids.push((await home.api.post('/contacts', { email, name: text, custom_fields })).expect(201).data.id);
  }
});

const placesOf = (rows: readonly Fields[]): number[] => rows.map(({ id }) => ids.indexOf(id));

/** The way of `next` to the end; `prev` leads back over the same pages. */
async function walked(query: string): Promise<number[]> {
  const read = async (path: string) => {
    const { rows, body } = (await home.api.get(path)).expect(200);
    return { places: placesOf(rows), next: body.links?.next ?? null, prev: body.links?.prev ?? null };
  };
  let page = await read(`/contacts?${query}&fields=id`);
  const pages = [page.places];
  while (page.next !== null) pages.push((page = await read(page.next)).places);
  for (const before of pages.slice(0, -1).toReversed()) {
    page = await read(page.prev ?? '');
    expect(page.places).toEqual(before);
  }
  return pages.flat();
}

it.each([
  ['name', up],
  ['-name', down],
  ['custom_fields.motto', up],
  ['-custom_fields.motto', down],
])(
  'sorted by %s, case and accents make no difference, and links lead over each record once',
  async (sort, expected) => {
    expect(await walked(`sort=${sort}&limit=1`)).toEqual(expected);
    expect(await walked(`sort=${sort}&limit=4&q=people`)).toEqual(expected);
  },
);

it.each([
  ['name,-email', sorted((one, other) => other - one)],
  ['-name,email', sorted((one, other) => one - other, true)],
])('of texts that are no different, the next of several keys tells: %s', async (sort, expected) => {
  expect(await walked(`sort=${sort}&limit=1`)).toEqual(expected);
  expect(await walked(`sort=${sort}&limit=3`)).toEqual(expected);
});

it('pages that are counted off, and tables, are in the same order', async () => {
  for (const [sort, expected] of [
    ['name', up],
    ['-name', down],
  ] as const) {
    const { rows } = (await home.api.get(`/contacts?sort=${sort}&offset=7&limit=9&fields=id`)).expect(200);
    expect(placesOf(rows)).toEqual(expected.slice(7, 16));
    const table = (await home.api.get(`/contacts?sort=${sort}&fields=id`, { accept: CSV })).expect(200);
    expect(recordsOf(table.text).map(({ id }) => ids.indexOf(Number(id)))).toEqual(expected);
  }
});

it('so are texts that lists take from custom fields however long they are', async () => {
  const { api, id: workspace } = await makeWorkspace(server);
  (await api.post('/custom-fields', { object: 'contact', key: 'motto', label: 'Motto', type: 'text' })).expect(201);
  // As they were before there was a definition.
  await sql.rows(
    `INSERT INTO contacts (workspace_id, email, custom_fields)
     SELECT $1, n || '@people.example', jsonb_build_object('motto', t.text)
     FROM unnest(ARRAY['c', 'B' || repeat(U&'\\0301', 130000), 'b', 'a']) WITH ORDINALITY AS t (text, n)`,
    [workspace],
  );
  const found: unknown[] = [];
  let path: string | null = '/contacts?sort=custom_fields.motto&fields=email&limit=1';
  while (path !== null) {
    const { rows, body } = (await api.get(path)).expect(200);
    found.push(...rows.map(({ email }) => String(email)[0]));
    path = body.links?.next ?? null;
  }
  expect(found).toEqual(['4', '2', '3', '1']);
});

it('texts in memory have the same order', () => {
  const turned = TEXTS.toReversed();
  const expected = IN_ORDER.flatMap((texts) => texts.toReversed());
  expect(turned.map(({ text }) => text).sort(compareInTextOrder)).toEqual(expected);
});

it('indexes of texts are made anew when the library that compares them is another, and only then', async () => {
  const scratch = await scratchDatabase({ migrated: true });
  const own = openSql(scratch.url);
  const said: string[] = [];
  const indexes = (): Promise<{ name: string; file: number }[]> =>
    own.rows(
      `SELECT relname AS name, pg_relation_filenode(oid) AS file FROM pg_class WHERE relname IN ('tickets_order_subject', 'contacts_order_name', 'tickets_pkey') ORDER BY relname`,
    );
  const start = (): Promise<unknown> => runMigrations(scratch.url, migrations, (line) => said.push(line));
  try {
    const before = await indexes();
    await start();
    expect([said, await indexes()]).toEqual([[], before]);
    await own.rows(`UPDATE pg_collation SET collversion = '1.2' WHERE collname = 'text_order'`);
    await start();
    await start();
    const after = await indexes();
    expect(said).toEqual([expect.stringContaining('1.2 before')]);
    const kept = after.filter(({ file }, place) => file === before[place]?.file);
    expect(kept.map(({ name }) => name)).toEqual(['tickets_pkey']);
  } finally {
    await own.end();
    await scratch.drop();
  }
});
