import type { Resource } from '../resource';
import type { ListPlan } from './list-query';
import { keyName, sortKeys } from './page-order';
import { JSON_TEXT, pageTemplate, recordJoin, STAMPED, stampTemplate } from './read-plan';
import { rowOf } from './where';

/** What of a page is read: its texts, its texts and their stamps, or the stamps alone. */
export type Reads = 'texts' | 'stamped' | 'stamps';

/** How the records on a page are found, ahead of their texts. */
export interface FoundIds {
  /** SELECT of `workspace_id`, `id` and the sort keys of each. */
  ids: string;
  /** SQL of the total. */
  total: string;
}

const shown: Readonly<Record<Reads, string>> = {
  texts: JSON_TEXT,
  stamped: `${JSON_TEXT}, ${STAMPED}`,
  stamps: STAMPED,
};

/** The template of a page whose records are looked up by their ids: columns as `listStatement` has them, or `stampStatement`. */
export function readsTemplate(resource: Resource, plan: ListPlan, { ids, total }: FoundIds, reads: Reads): string {
  const keys = sortKeys(plan).map((_, index) => `i.${keyName(index)}`);
  // A stamp is of the version of the row, which is none of its columns.
  const row = rowOf(resource, 'i', [], reads === 'texts' ? 's.*' : 's.*, s.xmin');
  const rows = `SELECT i.id, ${keys.join(', ')}, ${shown[reads]} FROM (${ids}) i CROSS JOIN LATERAL ${row} s ${reads === 'stamps' ? '' : recordJoin('s')}`;
  return reads === 'stamps' ? stampTemplate(plan, rows, total) : pageTemplate(plan, rows, total, reads === 'stamped');
}
