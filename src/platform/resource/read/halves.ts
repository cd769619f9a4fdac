import type { Parameters } from '../../database/parameters';
import type { ListPlan } from './list-query';
import { keyExpression, keysBeyond, type PageOrder, scanOrder } from './page-order';

/** Rows that follow each other in the order of a list: those with a value of its first key, or those without. */
interface Half {
  conditions: string[];
  order: string;
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
 * another way.
 *
 * @param columns select list over `s`
 * @param from FROM list, with `s` in it
 * @param conditions of all rows
 */
export function pageOfHalves(
  plan: ListPlan,
  page: PageOrder,
  parameters: Parameters,
  { columns, from, conditions }: { columns: string; from: string; conditions: readonly string[] },
): string | null {
  const [first, second] = halves(plan, page, parameters) ?? [];
  if (!first) return null;
  const { limit, offset } = page;
  const where = (half: Half): string => `WHERE ${[...conditions, ...half.conditions].join(' AND ')}`;
  const rows = (half: Half, more: string, start: string): string =>
    `SELECT ${columns} FROM ${from} ${where(half)}${more} ORDER BY ${half.order} LIMIT ${limit}${start}`;
  const skipped = offset > 0 ? ` OFFSET ${offset}` : '';
  if (!second) return rows(first, '', skipped);
  const taken = '(SELECT count(*) FROM first_half)';
  const passed = `(SELECT count(*) FROM (SELECT FROM ${from} ${where(first)} LIMIT ${offset + limit}) n)`;
  const start = offset > 0 ? ` OFFSET greatest(0, ${offset} - ${passed})` : '';
  // LIMIT twice: the literal is what PostgreSQL plans for.
  return (
    `WITH first_half AS MATERIALIZED (${rows(first, '', skipped)}) SELECT * FROM first_half UNION ALL ` +
    `SELECT * FROM (SELECT * FROM (${rows(second, ` AND ${taken} < ${limit}`, start)}) r LIMIT ${limit} - ${taken}) second_half`
  );
}
