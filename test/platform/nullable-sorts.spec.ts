import { nullableSortIndexes } from '../../migrations/support/v2/nullable-sort-indexes';
import { areas } from '../../src/app.module';
import { type KeyType, nullsLast } from '../../src/platform/query/nulls-last';
import { useSql } from '../support/sql';

const sql = useSql();
const types: readonly KeyType[] = ['timestamptz', 'date', 'integer', 'bigint', 'numeric', 'text'];
const nullable = areas
  .flatMap(({ resources = [] }) => resources)
  .flatMap(({ table, sort }) =>
    Object.values(sort)
      // What is worked out for each record has none, and says how many may be sorted.
      .filter((spec) => spec.nullable && spec.most === undefined)
      .map(({ column, indexes }) => ({ table, column, indexes })),
  );

it.each(types)('indexes for nullable columns of type %s are those that lists ask for', (type) => {
  const made = nullableSortIndexes('things', 'due', type);
  for (const direction of ['ascending', 'descending'] as const)
    expect(made).toContain(`(${nullsLast('due', type, direction)})`);
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
