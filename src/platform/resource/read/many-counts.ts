// Raw rows: many counts in one row of as many columns, which only their places tell apart.
import { currentWorkspaceId } from '../../context/current';
import { isTransient } from '../../database/database-errors';
import type { Database } from '../../database/database';
import { Parameters } from '../../database/parameters';
import { commonWords } from '../../search/bits/common-words';
import type { Resource } from '../resource';
import type { ListPlan } from './list-query';
import { foundText } from './search-plan';
import { filled } from './sight';
import { totalByBits } from './ranked-plan';
import { isCounted, totalExpression } from './where';

/** A list whose records are to be counted. */
export interface Countable {
  resource: Resource;
  plan: ListPlan;
}

/**
 * How many records each of the lists has, exactly: first those that bits count, all in one statement, then the others. When that takes longer than
 * half of the time that is left, they are counted one by one, and null stands for what the time did not suffice for.
 *
 * @param withinMs most milliseconds that all of it may take
 */
export async function countMany(
  database: Database,
  lists: readonly Countable[],
  withinMs: number,
): Promise<(number | null)[]> {
  const endsAt = performance.now() + withinMs;
  const left = (): number => endsAt - performance.now();
  const counts = await countedByBits(database, lists, withinMs / 2);
  const others = lists.flatMap((list, index) => (counts[index] === null ? [{ list, index }] : []));
  if (others.length === 0) return counts;
  const each = others.map(({ list }) => list);
  const together = left() < 1 ? null : await counted(database, each, left() / 2);
  for (const [place, { list, index }] of others.entries()) {
    const alone = together || left() < 1 ? null : await counted(database, [list], left());
    counts[index] = together?.[place] ?? alone?.[0] ?? null;
  }
  return counts;
}

/** Of each list, null when bits do not tell, counters know it at once, or it takes too long. */
async function countedByBits(
  database: Database,
  lists: readonly Countable[],
  withinMs: number,
): Promise<(number | null)[]> {
  const workspaceId = currentWorkspaceId();
  const parameters = new Parameters(workspaceId);
  const columns: (string | null)[] = [];
  for (const { resource, plan } of lists) {
    const known = await commonWords(database, resource.search?.texts?.bits, workspaceId);
    const isAtOnce = resource.counters !== null && isCounted(resource.counters, plan, {});
    columns.push(isAtOnce ? null : totalByBits(resource, plan, {}, known, parameters));
  }
  const told = columns.filter((text) => text !== null);
  const found = told.length > 0 ? await read(database, told, parameters, withinMs) : null;
  let place = 0;
  return columns.map((text) => (text === null ? null : (found?.[place++] ?? null)));
}

/** Null when it takes too long. */
async function counted(
  database: Database,
  lists: readonly Countable[],
  withinMs: number,
): Promise<(number | null)[] | null> {
  const workspaceId = currentWorkspaceId();
  const parameters = new Parameters(workspaceId);
  const columns = lists.map(({ resource, plan }) =>
    !plan.search || resource.search?.found
      ? totalExpression(resource, plan, parameters, {})
      : `SELECT f.n FROM (${foundText(resource, plan, workspaceId, {}, parameters)}) f (n, ids)`,
  );
  return read(database, columns, parameters, withinMs);
}

/** What statements answer that are one number each, in one; null when it takes too long. */
async function read(
  database: Database,
  statements: readonly string[],
  { values }: Parameters,
  withinMs: number,
): Promise<(number | null)[] | null> {
  const text = `SELECT ${statements.map((each) => `(${each})`).join(', ')}`;
  const limit = { text: `SET LOCAL statement_timeout = ${Math.ceil(withinMs)}`, values: [] };
  try {
    const all = [limit, filled({ text, values, unnamed: true })];
    const [, rows] = await database.transaction(() => database.rawBatch(all, true));
    return statements.map((_, index) => (typeof rows?.[0]?.[index] === 'string' ? Number(rows[0][index]) : null));
  } catch (error) {
    if (isTransient(error)) return null;
    throw error;
  }
}
