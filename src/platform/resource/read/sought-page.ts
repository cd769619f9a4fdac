import { Parameters } from '../../database/parameters';
import type { Statement } from '../../postgres/statement-batch';
import { isCommon } from '../../search/bits/word-bits';
import type { Resource } from '../resource';
import type { ListPlan } from './list-query';
import {
  keyExpression,
  keyName,
  keysetConditions,
  orderBy,
  pageOrder,
  PREPARED_OFFSET,
  slice,
  sortKeys,
} from './page-order';
import { type FoundIds, type Reads, readsTemplate } from './page-reads';
import { render } from './read-plan';
import { isInOrderOfWords, MOST_SORTED, wordsFound } from './search-plan';
import { rowConditions, rowOf, type Scope } from './where';

/** A page of a search in one statement. */
export interface SoughtPage {
  /** Columns as `listStatement` has them, or `stampStatement`; the total is null where words are in too many records for it. */
  statement: (reads: Reads) => Statement;
  /** Whether nothing but the rows of the words tells which records are shown: a total says how many were looked at. */
  isByWords: boolean;
}

/**
 * A page of what a search for rare words finds, in one statement that is prepared where its filters are common ones. In the order of the words'
 * own rows only the records that it shows are looked up, otherwise all that have the words. Null where something else leads there:
 * words that have bits, a position in another order.
 */
export function soughtPage(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  common: ReadonlySet<string>,
): SoughtPage | null {
  const { texts } = resource.search ?? {};
  const { filters, position, search } = plan;
  if (!texts || !search || search.terms.every((term) => isCommon(term, common))) return null;
  const isByWords = isInOrderOfWords(resource, plan, scope);
  if (!isByWords && position) return null;
  const page = pageOrder(plan, null);
  const isNamed = filters.every(({ name }) => resource.counters?.includes(name));
  const unnamed = page.offset > PREPARED_OFFSET || !isNamed;
  const statement = (reads: Reads): Statement => {
    const parameters = new Parameters(workspaceId);
    const words = wordsFound(resource, plan, workspaceId, parameters, common);
    const { items, ids, total } = isByWords
      ? byWords(plan, words, parameters)
      : byRows(resource, plan, words, scope, parameters);
    const told = readsTemplate(resource, plan, { ids, total }, reads);
    return { ...render(resource, plan.selection, `WITH ${items} ${told}`, parameters), unnamed, settled: true };
  };
  return { statement, isByWords };
}

interface Sought extends FoundIds {
  /** Items of WITH that these are read of. */
  items: string;
}

function byWords(plan: ListPlan, words: string, parameters: Parameters): Sought {
  const page = pageOrder(plan, null);
  const behind = keysetConditions(plan, page, parameters);
  const where = behind.length > 0 ? `WHERE ${behind.join(' AND ')}` : '';
  const order = orderBy(plan, page.reversed, keyExpression, 's.id');
  return {
    items: `words AS MATERIALIZED (${words})`,
    ids: `SELECT s.workspace_id, s.id, ${keyExpression(plan.sort)} AS k FROM words s ${where} ORDER BY ${order} ${slice(page)}`,
    total: '(SELECT count(*) FROM words)',
  };
}

function byRows(resource: Resource, plan: ListPlan, words: string, scope: Scope, parameters: Parameters): Sought {
  const page = pageOrder(plan, null);
  const isFew = `(SELECT count(*) FROM words) < ${MOST_SORTED}`;
  const keys = sortKeys(plan).map((key, index) => `${keyExpression(key)} AS ${keyName(index)}`);
  const row = rowOf(resource, 'w', rowConditions(plan, scope, parameters));
  const rows = `SELECT s.workspace_id, s.id, ${keys.join(', ')} FROM words w CROSS JOIN LATERAL ${row} s WHERE ${isFew}`;
  const order = orderBy(plan, false, (_, index) => `f.${keyName(index)}`, 'f.id');
  return {
    items: `words AS MATERIALIZED (${words} LIMIT ${MOST_SORTED}), found AS MATERIALIZED (${rows})`,
    ids: `SELECT f.* FROM found f ORDER BY ${order} ${slice(page)}`,
    total: `CASE WHEN ${isFew} THEN (SELECT count(*) FROM found) END`,
  };
}
