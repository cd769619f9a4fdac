import fc from 'fast-check';
import { Client } from 'pg';
import { readBigintsAsNumbers } from '../../src/platform/database/data-source';
import { type Statement, StatementBatch } from '../../src/platform/postgres/statement-batch';
import { testServices } from '../support/services';

let client: Client;
beforeEach(async () => {
  client = new Client({ connectionString: testServices().databaseUrl });
  await client.connect();
});
afterEach(async () => {
  await client.end();
});

async function run(...statements: Statement[]): Promise<(string | null)[][][]> {
  const batch = new StatementBatch(statements);
  client.query(batch);
  return batch.result;
}

/** The rows of each as objects. */
async function named(...statements: Statement[]): Promise<object[][]> {
  const batch = new StatementBatch([{ text: 'SELECT 0' }, ...statements], [1, 1 + statements.length]);
  client.query(batch);
  const rows = await batch.result;
  return statements.map((_, index) => batch.named(1 + index, rows[1 + index] ?? []));
}

describe('rows as objects', () => {
  const each = {
    text: `SELECT $1::bigint AS id, 'é' AS text, $1::integer > 1 AS flag, ARRAY[3] AS list, '{"a":1}'::json AS json, NULL AS nothing`,
    values: [2],
  };

  it.each([[each], [{ ...each, unnamed: true }]])(
    'are read as the driver reads them, every time: %#',
    async (asked) => {
      readBigintsAsNumbers();
      const { rows } = await client.query<object>(each.text, each.values);
      expect(rows).toEqual([{ id: 2, text: 'é', flag: true, list: [3], json: { a: 1 }, nothing: null }]);
      const none = { text: 'SELECT 1 AS n WHERE false' };
      for (let round = 0; round < 3; round++) expect(await named(asked, none, asked)).toEqual([rows, [], rows]);
    },
  );

  it.each([
    ['2026-10-20 08:00:00Z', '2026-10-20T08:00:00.000Z'],
    ['2026-10-20 08:00:00.1Z', '2026-10-20T08:00:00.100Z'],
    ['2026-10-20 10:00:00.123456+02', '2026-10-20T08:00:00.123Z'],
    ['0099-01-01 00:00Z', '0099-01-01T00:00:00.000Z'],
    ['infinity', 'infinity'],
  ])('have moments in ISO 8601: %s', async (given, shown) => {
    await client.query(`SET TimeZone = 'UTC'`);
    expect(await named({ text: 'SELECT $1::timestamptz AS at', values: [given] })).toEqual([[{ at: shown }]]);
  });

  it('may be asked of statements that were prepared for texts, and after one that failed or answers nothing', async () => {
    await client.query('CREATE TEMP TABLE probe (n integer UNIQUE)');
    const insert = { text: 'INSERT INTO probe VALUES ($1)', values: [1] };
    const read = { text: 'SELECT n FROM probe' };
    expect(await run(read)).toEqual([[]]);
    expect(await named(insert, read)).toEqual([[], [{ n: 1 }]]);
    await expect(named(read, insert)).rejects.toMatchObject({ code: '23505' });
    expect(await named({ text: 'DELETE FROM probe RETURNING n AS gone' }, read)).toEqual([[{ gone: 1 }], []]);
    expect(await run(read)).toEqual([[]]);
  });
});

describe('a batch of statements', () => {
  it('answers the rows of each statement as texts, in order', async () => {
    const rows = await run(
      { text: 'SELECT 1 AS a, NULL AS b' },
      { text: 'SELECT g FROM generate_series(1, 3) g WHERE g > $1', values: [1] },
      { text: 'SELECT 1 WHERE false' },
      { text: 'SELECT true, $1::text', values: ['é😀'] },
    );
    expect(rows).toEqual([[['1', null]], [['2'], ['3']], [], [['t', 'é😀']]]);
  });

  it('runs as one transaction: a setting made locally reaches the next statement and is gone afterwards', async () => {
    const read = { text: `SELECT current_setting('app.probe', true)` };
    const [, seen] = await run({ text: `SELECT set_config('app.probe', $1, true)`, values: [7] }, read);
    expect(seen).toEqual([['7']]);
    expect(await run(read)).toEqual([[['']]]);
  });

  it('undoes everything when one of its statements fails, and leaves the connection usable', async () => {
    await client.query('CREATE TEMP TABLE probe (n integer UNIQUE)');
    const insert = { text: 'INSERT INTO probe VALUES ($1)', values: [1] };
    await expect(run(insert, insert)).rejects.toMatchObject({ code: '23505' });
    expect(await run({ text: 'SELECT count(*) FROM probe' })).toEqual([[['0']]]);
    expect(await run(insert, { text: 'SELECT count(*) FROM probe' })).toEqual([[], [['1']]]);
  });

  it('can repeat a statement whose first batch failed before, in and after it', async () => {
    await client.query('CREATE TEMP TABLE probe (n integer UNIQUE)');
    const good = { text: 'SELECT n FROM probe WHERE n = $1', values: [1] };
    const broken = { text: 'SELECT 1 / $1::integer', values: [0] };
    await expect(run(good, broken)).rejects.toMatchObject({ code: '22012' });
    await expect(run(broken, good)).rejects.toMatchObject({ code: '22012' });
    await expect(run({ text: 'SELECT * FROM nothing_here' }, good)).rejects.toMatchObject({ code: '42P01' });
    expect(await run(good, { ...broken, values: [1] })).toEqual([[], [['1']]]);
    expect(await run(good, { ...broken, values: [1] })).toEqual([[], [['1']]]);
  });

  it('works while others wait behind it on the same connection', async () => {
    const answers = await Promise.all([
      run({ text: 'SELECT 1' }),
      run({ text: 'SELECT 1 / 0' }).catch((error: unknown) => (error as { code: string }).code),
      client.query('SELECT 2 AS n').then(({ rows }) => rows as unknown[]),
      run({ text: 'SELECT 3' }, { text: 'SELECT 4' }),
    ]);
    expect(answers).toEqual([[[['1']]], '22012', [{ n: 2 }], [[['3']], [['4']]]]);
  });

  it('plans an unnamed statement anew each time and a named one once per connection', async () => {
    for (let round = 0; round < 3; round++) {
      await run({ text: 'SELECT 41 AS named' }, { text: 'SELECT 42 AS unnamed', unnamed: true });
    }
    const { rows } = await client.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements');
    expect(rows.map(({ statement }) => statement)).toEqual(['SELECT 41 AS named']);
  });

  it('prepares a statement apart where its names mean other functions, and both stay right', async () => {
    const each = { text: `SELECT now() > pg_catalog.now() AS is_ahead` };
    const usual = ['"$user", public', ''];
    const ahead = ['workspace_clock, pg_catalog, public', '1 day'];
    const clock = (values: string[]) => ({
      text: `SELECT set_config('search_path', $1, true), set_config('app.clock_ahead', $2, true)`,
      values,
    });
    await client.query('SET ROLE helpdesk_system');
    for (let round = 0; round < 3; round++) {
      expect((await run(clock(usual), each))[1]).toEqual([['f']]);
      expect((await run({ ...clock(ahead), apart: true }, { ...each, apart: true }))[1]).toEqual([['t']]);
    }
    const { rows } = await client.query<{ name: string }>(
      'SELECT name FROM pg_prepared_statements WHERE statement = $1 ORDER BY name DESC',
      [each.text],
    );
    const [name] = rows.map((row) => row.name);
    expect(rows).toEqual([{ name }, { name: `a${name}` }]);
  });

  it('gives every value back as PostgreSQL has it', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((value) => !value.includes('\0'));
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.option(text), { maxLength: 5 }),
        fc.array(fc.maxSafeInteger(), { maxLength: 5 }),
        fc.jsonValue({ maxDepth: 2 }),
        fc.boolean(),
        async (plain, texts, numbers, json, flag) => {
          const object = { json: JSON.parse(JSON.stringify(json).replaceAll('\\u0000', '')) as unknown };
          const [rows] = await run({
            text: 'SELECT $1::text, to_json($2::text[]), to_json($3::bigint[]), $4::json, $5::boolean',
            values: [plain, texts, numbers, object, flag],
          });
          const [one, two, three, four, five] = rows?.[0] ?? [];
          expect(one).toBe(plain);
          expect(JSON.parse(two ?? '')).toEqual(texts);
          expect(JSON.parse(three ?? '')).toEqual(numbers);
          expect(JSON.parse(four ?? '')).toEqual(object);
          expect(five).toBe(flag ? 't' : 'f');
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it('fails, instead of hanging, when the connection dies under it', async () => {
    client.on('error', () => undefined);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const other = new Client({ connectionString: testServices().databaseUrl });
    await other.connect();
    const waiting = run({ text: 'SELECT pg_sleep(30)' });
    const failed = expect(waiting).rejects.toMatchObject({ code: '57P01' });
    await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await failed;
    await other.end();
  });
});
