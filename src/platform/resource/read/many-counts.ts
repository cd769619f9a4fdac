// Raw rows: many counts in one row of as many columns, which only their places tell apart.
import { currentWorkspaceId } from '../../context/current';
import { isTransient } from '../../database/database-errors';
import type { Database } from '../../database/database';
import { Parameters } from '../../database/parameters';
import type { Resource } from '../resource';
import type { ListPlan } from './list-query';
import { foundText } from './search-plan';
import { filled } from './sight';
import { totalExpression } from './where';

/** A list whose records are to be counted. */
export interface Countable {
  resource: Resource;
  plan: ListPlan;
}

/**
 * How many records each of the lists has, exactly: all in one statement. When that takes longer than half of the time, they are
 * counted one by one, and null stands for what the time did not suffice for.
 *
 * @param withinMs most milliseconds that all of it may take
 */
export async function countMany(
  database: Database,
  lists: readonly Countable[],
  withinMs: number,
): Promise<(number | null)[]> {
  const endsAt = performance.now() + withinMs;
  if (lists.length === 0) return [];
  const together = await counted(database, lists, withinMs / 2);
  if (together) return together;
  const counts: (number | null)[] = [];
  for (const list of lists) {
    const left = endsAt - performance.now();
    counts.push(left < 1 ? null : ((await counted(database, [list], left))?.[0] ?? null));
  }
  return counts;
}

/** Null when it takes too long. */
async function counted(database: Database, lists: readonly Countable[], withinMs: number): Promise<number[] | null> {
  const workspaceId = currentWorkspaceId();
  const parameters = new Parameters(workspaceId);
  const columns = lists.map(({ resource, plan }) => {
    if (!plan.search || resource.search?.found) return `(${totalExpression(resource, plan, parameters, {})})`;
    return `(SELECT f.n FROM (${foundText(resource, plan, workspaceId, {}, parameters)}) f (n, ids))`;
  });
  const statement = filled({ text: `SELECT ${columns.join(', ')}`, values: parameters.values, unnamed: true });
  const limit = { text: `SET LOCAL statement_timeout = ${Math.ceil(withinMs)}`, values: [] };
  try {
    const [, rows] = await database.transaction(() => database.rawBatch([limit, statement], true));
    return lists.map((_, index) => Number(rows?.[0]?.[index]));
  } catch (error) {
    if (isTransient(error)) return null;
    throw error;
  }
}
