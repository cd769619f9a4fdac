import fc from 'fast-check';
import { readAs } from '../../src/areas/migration/mapping/cell-values';
import { ahead } from '../../src/areas/migration/run/ahead';
import { planned as planOf, saidOf, saysTheSame } from '../../src/areas/migration/run/revision';
import { columnNames, delimiterOf, rowsOf } from '../../src/areas/migration/sources/csv-rows';
import { recordsOf } from '../../src/areas/migration/sources/reading';
import type { FileForm, Offset, OpenAt, SourceRecord } from '../../src/areas/migration/sources/source-record';
import type { ColumnSpec } from '../../src/platform/columns/column-spec';

/** A file that comes in pieces of so many bytes. */
function opening(content: Buffer, size: number): OpenAt {
  const pieces = async function* (start: number): AsyncGenerator<Buffer> {
    for (let at = start; at < content.length; at += size) yield await Promise.resolve(content.subarray(at, at + size));
  };
  return (start) => Promise.resolve(pieces(start));
}

async function all(file: FileForm, from: Offset, open: OpenAt): Promise<SourceRecord[]> {
  const found: SourceRecord[] = [];
  for await (const record of recordsOf(file, from, open)) found.push(record);
  return found;
}

const BEGIN = { bytes: 0, line: 0 };
const said = (records: readonly SourceRecord[]): unknown[] =>
  records.map(({ fields, problem, line }) => [line, problem?.code ?? fields]);

it('reads a page ahead, in order; whoever stops early ends the source, and a failure has its turn', async () => {
  const [read, ended]: [number[], boolean[]] = [[], []];
  const source = async function* (until: number, isBroken = false): AsyncGenerator<number, void> {
    try {
      for (let n = 1; n <= until; n++) {
        read.push(n);
        yield await Promise.resolve(n);
      }
      if (isBroken) throw new Error('cut off');
    } finally {
      ended.push(true);
    }
  };
  const used: number[] = [];
  for await (const n of ahead(source(9))) {
    used.push(n);
    if (n === 2) break;
  }
  expect([used, read, ended]).toEqual([[1, 2], [1, 2, 3], [true]]);
  for await (const n of ahead(source(3))) used.push(n);
  expect(used).toEqual([1, 2, 1, 2, 3]);
  const broken = async (): Promise<void> => {
    for await (const n of ahead(source(1, true))) used.push(n);
  };
  await expect(broken()).rejects.toThrow('cut off');
  expect([used.at(-1), ended]).toEqual([1, [true, true, true]]);
});

const TABLE = '\uFEFFid,text\r\n1,"a\nb"\r\n\r\n2,"ü ""q"" z"\r\n3,"open\r\n4,x,y,z\r\n5,last';
const LINES = '\uFEFF{"id":1,"of":{"a":1}}\n\n{"id":2}\r\nnothing\n[1]\n{"id":3,"t":"}\\"{"}';
const LIST =
  '{"count": 3, "tickets": [ {"id": 1, "t": "]},{"}, 7, {"id":2,"in":[{"x":"\\\\"}]}\n, {"id":3} ], "next": [{"id": 9}]}';

const ROWS = [
  [2, { id: '1', text: 'a\nb' }],
  [4, { id: '2', text: 'ü "q" z' }],
  [6, 'malformed'],
  [7, 'columns'],
  [8, { id: '5', text: 'last' }],
];
const RECORDS = [
  [1, { id: 1, of: { a: 1 }, 'of.a': 1 }],
  [3, { id: 2 }],
  [4, 'malformed'],
  [5, 'malformed'],
  [6, { id: 3, t: '}"{' }],
];
const ITEMS = [
  [1, { id: 1, t: ']},{' }],
  [2, { id: 2, in: [{ x: '\\' }] }],
  [3, { id: 3 }],
];

describe.each([
  ['a table', 'csv', TABLE, ROWS],
  ['records, one a line', 'ndjson', LINES, RECORDS],
  ['a list in a document', 'json', LIST, ITEMS],
] as const)('%s', (_name, format, text, expected) => {
  const content = Buffer.from(text);
  const begins_at = format === 'csv' ? content.indexOf('\n') + 1 : 0;
  const columns = format === 'csv' ? ['id', 'text'] : null;
  const file: FileForm = { format, encoding: 'utf-8', delimiter: ',', columns, bytes: content.length, begins_at };

  it('is the same in whatever pieces it comes', async () => {
    for (const size of [content.length, 1, 2, 3, 5, 7, 16])
      expect(said(await all(file, BEGIN, opening(content, size)))).toEqual(expected);
  });

  it('goes on from every record as if it had never stopped', async () => {
    const open = opening(content, 4);
    const whole = await all(file, BEGIN, open);
    for (const [index, { next }] of whole.entries())
      expect(said(await all(file, next, open))).toEqual(said(whole.slice(index + 1)));
  });
});

it.each([
  ['{"a":', [[1, 'malformed']]],
  ['{"a": 1}', [[1, 'malformed']]],
  ['[', [[1, 'malformed']]],
  ['[1, "two"]', [[1, 'malformed']]],
  ['[ ]', []],
  [
    '{"tickets": [{"id": 1},\n',
    [
      [1, { id: 1 }],
      [2, 'malformed'],
    ],
  ],
  [
    '[{"id": 1}, {"id"',
    [
      [1, { id: 1 }],
      [2, 'malformed'],
    ],
  ],
  ['[{"id": 1}, "two"]', [[1, { id: 1 }]]],
])('a document says that it was cut, or is no list: %j', async (text, expected) => {
  const content = Buffer.from(text);
  const none = { encoding: 'utf-8', delimiter: null, columns: null };
  const file: FileForm = { ...none, format: 'json', bytes: content.length, begins_at: 0 };
  for (const size of [content.length, 1, 3]) {
    const open = opening(content, size);
    const whole = await all(file, BEGIN, open);
    expect(said(whole)).toEqual(expected);
    for (const [index, { next }] of whole.entries())
      expect(said(await all(file, next, open))).toEqual(said(whole.slice(index + 1)));
  }
});

it('columns have names of their own, whatever they are called', () => {
  expect(columnNames(['id', 'name', ' name ', '', 'name (2)'])).toEqual([
    'id',
    'name',
    'name (2)',
    'column_4',
    'name (2) (2)',
  ]);
  expect(['a;b,c;d', 'a\tb', '"x;y",b', 'one', 'a|b|c,d'].map(delimiterOf)).toEqual([';', '\t', ',', ',', '|']);
});

it('what is no table is given up, not read for ever', async () => {
  const content = Buffer.from('a,"b\n'.repeat(3_000));
  const rows = async (): Promise<number> => {
    let n = 0;
    for await (const _ of rowsOf(
      { delimiter: ',', encoding: 'utf-8', bytes: content.length },
      BEGIN,
      opening(content, 65_536),
    ))
      n++;
    return n;
  };
  await expect(rows()).resolves.toBeGreaterThan(0);
});

it.each([
  ['2019-03-01T08:00:00Z', '2019-03-01T08:00:00.000Z'],
  ['2019-03-01 08:00', '2019-03-01T08:00:00.000Z'],
  ['2019-03-01', '2019-03-01T00:00:00.000Z'],
  ['2019-03-01T08:00:00.1234+0130', '2019-03-01T06:30:00.123Z'],
  ['24.12.2023 18:05', '2023-12-24T18:05:00.000Z'],
  ['1550000000', '2019-02-12T19:33:20.000Z'],
  [1_550_000_000_000, '2019-02-12T19:33:20.000Z'],
  ['03/04/2024', 'ambiguous'],
  ['2019-02-29', 'format'],
  ['2019-13-01', 'format'],
  ['yesterday', 'format'],
])('the moment %s is %s', (text, expected) => {
  const column = { name: 'created_at', kind: 'timestamp' } as ColumnSpec;
  const read = readAs(column, text, {});
  expect('value' in read ? read.value : read.code).toBe(expected);
});

it('a day that may be a month is what somebody says it is', () => {
  const column = { name: 'created_at', kind: 'timestamp' } as ColumnSpec;
  expect(readAs(column, '03/04/2024', { date_order: 'dmy' })).toEqual({ value: '2024-04-03T00:00:00.000Z' });
  expect(readAs(column, '03/04/2024', { date_order: 'mdy' })).toEqual({ value: '2024-03-04T00:00:00.000Z' });
});

describe('a revision', () => {
  const column = (name: string): [string, ColumnSpec] => [
    name,
    { name, kind: 'string', nullable: true } as unknown as ColumnSpec,
  ];
  const columns = new Map(['a', 'b', 'c'].map(column));
  const says = fc.record({ a: word(), b: word(), c: word() }, { requiredKeys: [] });

  function word(): fc.Arbitrary<string | null> {
    return fc.constantFrom('x', 'y', 'z', null);
  }

  it('never loses what somebody changed here, and has nothing to do twice', () => {
    fc.assert(
      fc.property(says, says, says, fc.boolean(), (first, here, now, sourceWins) => {
        const whole = { a: null, b: null, c: null, ...first };
        const row: Record<string, unknown> = { ...whole, ...here };
        const isChanged = Object.entries(here).some(([name, value]) => whole[name as 'a'] !== value);
        const known = { said: saidOf(first, columns), left: 1 };
        const version = isChanged ? 2 : 1;
        const emptied = Object.keys(now).filter((name) => now[name as 'a'] === null);
        const rules = { columns, fixed: [], sourceWins };
        const plan = planOf({ values: now, emptied, known, row, version }, rules);
        for (const name of ['a', 'b', 'c'] as const) {
          const to = plan.changes[name]?.to;
          if (to === undefined) continue;
          // What is written is what the source says, and did not say before.
          expect([to, to === (first[name] ?? null)]).toEqual([now[name] ?? null, false]);
          const isOurs = row[name] !== whole[name];
          if (isOurs && row[name] !== null && !sourceWins) throw new Error(`${name} was ours.`);
        }
        expect(plan.kept.length === 0 || !sourceWins).toBe(true);
        const after = { ...row, ...plan.values };
        const left = Object.keys(plan.values).length > 0 && !isChanged ? 2 : known.left;
        const next = { said: plan.said, left };
        const again = planOf({ values: now, emptied, known: next, row: after, version: 2 }, rules);
        expect([again.values, again.kept]).toEqual([{}, plan.kept]);
        if (plan.kept.length === 0) expect(saysTheSame(saidOf(now, columns), plan.said, emptied, [])).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

it.each([
  ['1.299,90', 1299.9],
  ['1,299.90', 1299.9],
  ["-1'299'000.5", -1299000.5],
  ['1\u00a0299', 1299],
  ['1.299.000', 1299000],
  ['1,299', 1.299],
  ['12,5', 12.5],
  ['1.29,90', null],
  ['1,299,90', null],
  ['1.299.90', null],
  ['12.000,00.0', null],
])('reads the number %s', (text, value) => {
  const column = { name: 'n', kind: 'number' } as ColumnSpec;
  expect(readAs(column, text, {})).toEqual(value === null ? expect.objectContaining({ code: 'type' }) : { value });
});
