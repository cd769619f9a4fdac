import { Parameters } from '../../database/parameters';
import type { Statement } from '../../postgres/statement-batch';
import { isCommon } from '../../search/bits/word-bits';
import type { Resource } from '../resource';
import type { ListPlan } from './list-query';
import { keyExpression, keysetConditions, orderBy, pageOrder, PREPARED_OFFSET, slice } from './page-order';
import { JSON_TEXT, pageTemplate, recordJoin, render, STAMPED, stampTemplate } from './read-plan';
import { wordsFound } from './search-plan';
import { rowOf } from './where';

/** What of a page is read: its texts, its texts and their stamps, or the stamps alone. */
export type Reads = 'texts' | 'stamped' | 'stamps';

/**
 * A page of what a search for rare words finds, in one statement that is prepared: columns as `listStatement` has them, or `stampStatement`. Its
 * order is that of the words' own rows, so only the records that it shows are looked up. Null where something else leads there: filters, who asks,
 * another order, words that have bits.
 */
export function soughtStatements(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  common: ReadonlySet<string>,
): ((reads: Reads) => Statement) | null {
  const { texts } = resource.search ?? {};
  const { filters, further, search, seen, sort } = plan;
  const isPlain = seen === null && filters.length === 0 && further.length === 0;
  if (!texts || !search || !isPlain || sort.spec.column !== texts.sortedBy) return null;
  if (search.terms.every((term) => isCommon(term, common))) return null;
  return (reads) => {
    const page = pageOrder(plan, null);
    const parameters = new Parameters(workspaceId);
    const words = wordsFound(resource, plan, workspaceId, parameters, common);
    const behind = keysetConditions(plan, page, parameters);
    const where = behind.length > 0 ? `WHERE ${behind.join(' AND ')}` : '';
    const order = orderBy(plan, page.reversed, keyExpression, 's.id');
    const ids = `SELECT s.workspace_id, s.id, ${keyExpression(sort)} AS k FROM words s ${where} ORDER BY ${order} ${slice(page)}`;
    // A stamp is of the version of the row, which is none of its columns.
    const row = rowOf(resource, 'i', [], reads === 'texts' ? 's.*' : 's.*, s.xmin');
    const rows = `SELECT i.id, i.k, ${shown[reads]} FROM (${ids}) i CROSS JOIN LATERAL ${row} s ${reads === 'stamps' ? '' : recordJoin('s')}`;
    const total = '(SELECT count(*) FROM words)';
    const told =
      reads === 'stamps' ? stampTemplate(plan, rows, total) : pageTemplate(plan, rows, total, reads === 'stamped');
    const template = `WITH words AS MATERIALIZED (${words}) ${told}`;
    return { ...render(resource, plan.selection, template, parameters), unnamed: page.offset > PREPARED_OFFSET };
  };
}

const shown: Readonly<Record<Reads, string>> = {
  texts: JSON_TEXT,
  stamped: `${JSON_TEXT}, ${STAMPED}`,
  stamps: STAMPED,
};
