import { nullableSortIndexes } from '../../migrations/support/v2/nullable-sort-indexes';
import { nullableTextSortIndexes } from '../../migrations/support/v4/text-sort-indexes';
import { areas } from '../../src/app.module';
import { type KeyType, nullsLast } from '../../src/platform/query/nulls-last';
import { inTextOrder } from '../../src/platform/text/text-order';
import { useSql } from '../support/sql';

const sql = useSql();
const types: readonly Exclude<KeyType, 'text'>[] = ['timestamptz', 'date', 'integer', 'bigint', 'numeric'];
const sorts = areas
  .flatMap(({ resources = [] }) => resources)
  .flatMap(({ table, sort }) =>
    Object.values(sort)
      // What is worked out for each record has none, and says how many may be sorted.
      .filter((spec) => spec.most === undefined)
      .map(({ column, type, nullable = false, indexes }) => ({ table, column, type, nullable, indexes })),
  );
const nullable = sorts.filter((each) => each.nullable);

it.each(types)('indexes for nullable columns of type %s are those that lists ask for', (type) => {
  const made = nullableSortIndexes('things', 'due', type);
  for (const direction of ['ascending', 'descending'] as const)
    expect(made).toContain(`(${nullsLast('due', type, direction)})`);
});

it('so are those for nullable texts', () => {
  const made = nullableTextSortIndexes('things', 'due');
  for (const direction of ['ascending', 'descending'] as const)
    expect(made).toContain(inTextOrder(`(${nullsLast('due', 'text', direction)})`));
});

it('every sort of the core by a text has an index in the order of texts, a nullable one for each direction', async () => {
  const missing: string[] = [];
  const texts = sorts.filter(({ type }) => type === 'text');
  for (const each of texts) {
    const keys = each.nullable
      ? (['ascending', 'descending'] as const).map((direction) => nullsLast(each.column, 'text', direction))
      : [each.column];
    for (const key of keys) {
      // As PostgreSQL writes the expression, and says of no index that it has another collation than asked for.
      const rows = await sql.rows(
        `SELECT FROM pg_index i WHERE i.indrelid = $1::regclass AND i.indisvalid AND i.indcollation[1] = 'text_order'::regcollation
           AND pg_get_indexdef(i.indexrelid, 1, false) = 'workspace_id' AND pg_get_indexdef(i.indexrelid, 3, false) = 'id'
           AND regexp_replace(pg_get_indexdef(i.indexrelid, 2, false), '[()\\s]+|::text', '', 'g') = regexp_replace($2, '[()\\s]+', '', 'g')`,
        [each.table, key.replace(String.raw`U&'\FFFF'`, `'\uFFFF'`)],
      );
      if (rows.length !== 1) missing.push(`${each.table}.${key}`);
    }
  }
  expect(texts.length).toBeGreaterThan(25);
  expect(missing).toEqual([]);
});

it('every nullable sort of the core has an index for each direction', async () => {
  const missing: string[] = [];
  for (const { table, column, indexes } of nullable) {
    if (indexes === 'one') continue;
    const rows = await sql.rows(
      `SELECT FROM pg_index i WHERE i.indrelid = $1::regclass AND pg_get_indexdef(i.indexrelid, 1, false) = 'workspace_id'
         AND regexp_replace(pg_get_indexdef(i.indexrelid, 2, false), '\\s+', ' ', 'g') ~ $2`,
      [table, `CASE WHEN \\(${column} IS NULL\\) THEN `],
    );
    if (rows.length < 2) missing.push(`${table}.${column}`);
  }
  expect(nullable.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

it('those with one for both have it, of the column as it is', async () => {
  const one = nullable.filter(({ indexes }) => indexes === 'one');
  expect(one.length).toBeGreaterThan(3);
  for (const { table, column } of one) {
    const definitions = await sql.rows(`SELECT FROM pg_indexes WHERE tablename = $1 AND indexdef ~ $2`, [
      table,
      `\\(workspace_id, ${column}, id\\)$`,
    ]);
    expect([table, column, definitions.length]).toEqual([table, column, 1]);
  }
});
