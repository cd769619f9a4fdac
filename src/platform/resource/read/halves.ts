import type { Parameters } from '../../database/parameters';
import type { ListPlan } from './list-query';
import { keyExpression, keysBeyond, type PageOrder, scanOrder } from './page-order';

/** Rows that follow each other in the order of a list: those with a value of its first key, or those without. */
interface Half {
  conditions: string[];
  order: string;
}

/** What rows are read of. */
interface Source {
  /** Select list over `s`. */
  columns: string;
  /** FROM list, with `s` in it. */
  from: string;
  /** Of all rows. */
  conditions: readonly string[];
}

/**
 * The rows of a list sorted by a column with one index for both directions: of an index that has nulls at one end, a scan
 * yields either those with a value or those without, in the order that is wanted. In the order in which the page looks at them; null
 * where the list is sorted in another way.
 */
function halves(plan: ListPlan, page: PageOrder, parameters: Parameters): readonly Half[] | null {
  const { spec } = plan.sort;
  if (spec.indexes !== 'one') return null;
  const column = `s.${spec.column}`;
  const order = scanOrder(plan, page, (key) => (key === plan.sort ? column : keyExpression(key)));
  const { position } = plan;
  const inNulls = position !== null && page.keyset && position.key.endsWith('infinity');
  const within = page.keyset ? keysBeyond(plan, page, parameters, inNulls ? null : column) : [];
  const valued: Half = { conditions: [`${column} IS NOT NULL`, ...(inNulls ? [] : within)], order };
  const missing: Half = { conditions: [`${column} IS NULL`, ...(inNulls ? within : [])], order };
  if (!page.keyset) return page.reversed ? [missing, valued] : [valued, missing];
  // What lies behind the position alone.
  if (page.reversed) return inNulls ? [missing, valued] : [valued];
  return inNulls ? [missing] : [valued, missing];
}

/**
 * The page of such a list: its rows, from the second half only as many as the first one leaves open. Null where the list is sorted in
 * another way. Rows may have a column `place` besides.
 */
export function pageOfHalves(plan: ListPlan, page: PageOrder, parameters: Parameters, source: Source): string | null {
  const [first, second] = halves(plan, page, parameters) ?? [];
  if (!first) return null;
  const { limit, offset } = page;
  const skip = (rows: string): string => (offset > 0 ? ` OFFSET ${rows}` : '');
  if (!second) return `${rowsOf(source, first)} LIMIT ${limit}${skip(String(offset))}`;
  const taken = '(SELECT count(*) FROM first_half)';
  // Where every row has to be looked at for a filter, none is looked at twice; an index alone is sooner gone through once more.
  const isNumbered = offset > 0 && plan.filters.length > 0;
  const numbered = { ...source, columns: `${source.columns}, row_number() OVER (ORDER BY ${first.order}) AS place` };
  const before = isNumbered ? `numbered AS MATERIALIZED (${rowsOf(numbered, first)} LIMIT ${offset + limit}), ` : '';
  const firstRows = isNumbered
    ? `SELECT * FROM numbered WHERE place > ${offset}`
    : `${rowsOf(source, first)} LIMIT ${limit}${skip(String(offset))}`;
  const passed = isNumbered
    ? '(SELECT count(*) FROM numbered)'
    : `(SELECT count(*) FROM (${rowsOf({ ...source, columns: '' }, { ...first, order: '' })} LIMIT ${offset + limit}) n)`;
  const rest = isNumbered ? { ...source, columns: `${source.columns}, 0::bigint AS place` } : source;
  const open = { ...second, conditions: [...second.conditions, `${taken} < ${limit}`] };
  const start = skip(`greatest(0, ${offset} - ${passed})`);
  // LIMIT twice: the literal is what PostgreSQL plans for.
  return (
    `WITH ${before}first_half AS MATERIALIZED (${firstRows}) SELECT * FROM first_half UNION ALL SELECT * FROM ` +
    `(SELECT * FROM (${rowsOf(rest, open)} LIMIT ${limit}${start}) r LIMIT ${limit} - ${taken}) second_half`
  );
}

function rowsOf({ columns, from, conditions }: Source, { conditions: more, order }: Half): string {
  const by = order === '' ? '' : ` ORDER BY ${order}`;
  return `SELECT ${columns} FROM ${from} WHERE ${[...conditions, ...more].join(' AND ')}${by}`;
}
