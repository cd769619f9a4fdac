import { currentWorkspaceId } from '../../context/current';
import type { Database } from '../../database/database';
import { type Scope, searchesTexts } from './where';
import type { ListPlan } from './list-query';
import type { PageEdges } from './page-links';
import { DEEP_OFFSET } from './page-order';
import { listStatement } from './read-plan';
import type { Resource } from '../resource';
import { totalStatement } from './totals';

/** A page as a list answers it. */
export interface Page extends PageEdges {
  json: string;
  rows: number;
  total: number;
}

/**
 * Reads a page: one statement, or two where the first one tells how to ask the second (the total of a deep offset, the
 * newest texts that turned out to hold too few matches).
 */
export async function findPage(database: Database, resource: Resource, plan: ListPlan, scope: Scope): Promise<Page> {
  const workspaceId = currentWorkspaceId();
  const find = async (known: number | null, recent = false): Promise<Page> =>
    readPage(await database.read(listStatement(resource, plan, workspaceId, scope, known, recent)));
  if (searchesTexts(resource, plan, scope)) {
    const recent = await find(null, true);
    const expected = plan.position ? plan.limit : Math.min(plan.limit, Math.max(0, recent.total - plan.offset));
    return recent.rows >= expected ? recent : find(recent.total);
  }
  if (plan.offset < DEEP_OFFSET || plan.position) return find(null);
  const [row] = await database.read(totalStatement(resource, plan, workspaceId, scope));
  return find(Number(row?.[0]));
}

/** Reads the row of a `listStatement`. */
function readPage(rows: (string | null)[][]): Page {
  const [json, firstKey, firstId, lastKey, lastId, count, total] = rows[0] ?? [];
  const edge = (key: string | null | undefined, id: string | null | undefined): PageEdges['first'] =>
    id === null || id === undefined ? null : { key: key ?? '', id: Number(id) };
  return {
    json: json ?? '[]',
    first: edge(firstKey, firstId),
    last: edge(lastKey, lastId),
    rows: Number(count),
    total: Number(total),
  };
}
