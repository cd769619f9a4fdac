import type { Database } from '../../database/database';
import { inTextOrder } from '../../text/text-order';
import { facetKey, mostBounds, mostChosen, RANK_TYPES } from './value-keys';
import type { WordBits } from './word-bits';

/** Most milliseconds that choosing may take: its rows lie all over the table, and are read once from a slow disk. */
const CHOOSING_MS = 20_000;

/**
 * Chooses the bounds of ranks from some records of a workspace, so that about as many have each rank; each level has one. Answers the keys of values that at
 * least `share` of these have, of facets whose values are chosen.
 */
export async function chooseBounds(
  database: Database,
  { table, bounds, facets, ranks }: WordBits,
  workspaceId: number,
  numbers: readonly number[],
  share: number,
): Promise<string[]> {
  const chosen = Object.entries(ranks).map(([column, type]) => {
    const { list, cast } = RANK_TYPES[type];
    const parts = `ARRAY(SELECT i::double precision / ${mostChosen(type)} FROM generate_series(0, ${mostChosen(type) - 1}) i)`;
    const values = `SELECT percentile_disc(${parts}) WITHIN GROUP (ORDER BY s.${column}${cast}) FROM sample s`;
    const distinct =
      type === 'level'
        ? everyLevel(mostBounds(type))
        : type === 'text'
          ? beginnings(values)
          : `ARRAY(SELECT DISTINCT v FROM unnest((${values})) v WHERE v IS NOT NULL ORDER BY v)`;
    const lists = ['numbers', 'moments', 'texts'].map((name) => (name === list ? distinct : 'NULL'));
    return `SELECT $1::bigint, '${column}', ${lists[0]}::bigint[], ${lists[1]}::timestamptz[], ${lists[2]}::text[]`;
  });
  const open = Object.keys(facets).filter((column) => facets[column] === null);
  const common = open.map(
    (column) =>
      `SELECT '${column}' AS facet, s.${column}::text AS value FROM sample s WHERE s.${column} IS NOT NULL GROUP BY 2 HAVING count(*) >= $3::double precision * (SELECT count(*) FROM sample)`,
  );
  await database.query(`DELETE FROM ${bounds} WHERE workspace_id = $1`, [workspaceId]);
  const columns = [...new Set([...Object.keys(ranks), ...open])].map((column) => `t.${column}`);
  await database.query(`SET LOCAL statement_timeout = ${CHOOSING_MS}`);
  const rows = await database.query<{ facet: string; value: string }>(
    `WITH sample AS MATERIALIZED (SELECT t.* FROM (SELECT $1::bigint AS workspace_id, unnest($2::bigint[]) AS number OFFSET 0) n
       CROSS JOIN LATERAL (SELECT ${columns.join(', ')} FROM ${table} t WHERE t.workspace_id = n.workspace_id AND t.number = n.number OFFSET 0) t),
     chosen AS (INSERT INTO ${bounds} (workspace_id, sort_column, numbers, moments, texts) ${chosen.join(' UNION ALL ')})
     ${common.join(' UNION ALL ')}`,
    [workspaceId, numbers, share],
  );
  await database.query('SET LOCAL statement_timeout TO DEFAULT');
  return rows.map(({ facet, value }) => facetKey(facet, value));
}

/** SQL: levels from 0 on, each with a rank of its own, whether any record has it by now or not; those above have the last one together. */
const everyLevel = (most: number): string => `ARRAY(SELECT generate_series(0, ${most - 1}))`;

/**
 * Adds a bound above all values that there are, to those of numbers and moments: what comes is mostly beyond them, and would all have one
 * rank. No rank of what is folded changes. A column that no record has a value of gets none. Answers whether there is no room for more.
 */
export async function addBounds(database: Database, bits: WordBits, workspaceId: number): Promise<boolean> {
  const { table, bounds, ranks } = bits;
  let isFull = false;
  for (const type of ['number', 'moment'] as const) {
    const { list, above } = RANK_TYPES[type];
    const columns = Object.keys(ranks).filter((column) => ranks[column] === type);
    const tops = columns.map(
      (column) =>
        `SELECT '${column}' AS sort_column, (SELECT max(t.${column}) FROM ${table} t WHERE t.workspace_id = $1) + ${above} AS bound`,
    );
    const added = await database.query<{ bounds: number }>(
      `UPDATE ${bounds} b SET ${list} = b.${list} || a.bound FROM (${tops.join(' UNION ALL ')}) a
       WHERE b.workspace_id = $1 AND b.sort_column = a.sort_column AND cardinality(b.${list}) < ${mostBounds(type)}
         AND a.bound IS NOT NULL AND a.bound > ALL (b.${list}[cardinality(b.${list}):])
       RETURNING cardinality(b.${list}) AS bounds`,
      [workspaceId],
    );
    if (added.some((row) => row.bounds >= mostBounds(type))) isFull = true;
  }
  return isFull;
}

/**
 * SQL: of texts what tells them from those before, so that no more is kept of what somebody wrote; of what many records have, which is there
 * several times, all of it.
 */
function beginnings(values: string): string {
  const texts = `SELECT ${inTextOrder('u.v')} AS v FROM unnest((${values})) u (v)`;
  const told = `SELECT v, count(*) AS times, lag(v) OVER (ORDER BY v) AS before FROM (${texts}) t WHERE v <> '' GROUP BY v`;
  const beginning = `(SELECT left(t.v, i) FROM generate_series(1, length(t.v)) i WHERE left(t.v, i) > coalesce(t.before, '') ORDER BY i LIMIT 1)`;
  return `ARRAY(SELECT DISTINCT b FROM (SELECT CASE WHEN t.times > 1 THEN t.v ELSE ${beginning} END AS b FROM (${told}) t) d WHERE b IS NOT NULL ORDER BY b)`;
}
