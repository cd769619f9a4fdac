// Raw rows: pages and totals by the bits of values and words, one row each.
import { currentWorkspaceId } from '../../context/current';
import type { Database } from '../../database/database';
import { commonWords } from '../../search/bits/common-words';
import { EVERY } from '../../search/bits/value-keys';
import type { Resource } from '../resource';
import { fewWithinBounds, isInOrder, isNear } from './gathering';
import type { ListPlan } from './list-query';
import { DEEP_OFFSET } from './page-order';
import { isWhole, type Page, readAll } from './page-row';
import { dividedFilters, isPeriodOnly, seenFacets } from './ranked-filters';
import { nearStatement, rankedStatement, rankedTotal } from './ranked-plan';
import type { Scope } from './where';

/** Whether the caller sees but a part of many records, and bits tell which: they count it sooner. */
export async function isSeenByBits(database: Database, resource: Resource, { seen }: ListPlan): Promise<boolean> {
  const bits = resource.search?.texts?.bits;
  if (seen === null || !bits) return false;
  const known = await commonWords(database, bits, currentWorkspaceId());
  return known.has(EVERY) && seenFacets(resource, seen, bits, known) !== null;
}

/** A page that is found by the bits of values; its total where they know no more, and null where they do not tell. */
export async function readByValues(
  database: Database,
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
): Promise<Page | number | null> {
  const bits = resource.search?.texts?.bits;
  if (!bits) return null;
  const workspaceId = currentWorkspaceId();
  const known = await commonWords(database, bits, workspaceId);
  const few = known.has(EVERY) && plan.seen === null ? fewWithinBounds(resource, plan, workspaceId) : null;
  // What bounds leave so little of is gathered by them.
  if (few && (await database.rawRead(few))[0]?.[0] === 't') return null;
  const near = await readNear(database, resource, plan, scope, known);
  if (near === null || typeof near === 'object') return near;
  // Of the part that a caller sees there are indexes, and the planner knows how much it is.
  const isLed = plan.filters.length === 0 && plan.seen !== null;
  const isOrdered = plan.offset < DEEP_OFFSET && (isLed || isInOrder(plan));
  if (isOrdered && near !== undefined) return near;
  const page = isOrdered ? null : rankedStatement(resource, plan, workspaceId, scope, known);
  if (page) return readAll(database, page);
  const counted = rankedTotal(resource, plan, workspaceId, scope, known);
  const [row] = counted ? await database.rawRead(counted) : [];
  return typeof row?.[0] === 'string' ? Number(row[0]) : null;
}

/** A page of a search whose filters leave what bits of words alone do not count: by values, ranks and words together. Null where these do not tell. */
export async function readAtOnce(
  database: Database,
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
): Promise<Page | null> {
  const bits = resource.search?.texts?.bits;
  if (!bits || plan.position !== null) return null;
  const known = await commonWords(database, bits, currentWorkspaceId());
  return isPeriodOnly(dividedFilters(plan.filters, bits, known).others)
    ? null
    : readByRanks(database, resource, plan, scope);
}

/**
 * A page of many, by the bits of words and values; null where they do not tell.
 *
 * @param isElsewhere whether it is not all among the first rows in its order
 */
export async function readByRanks(
  database: Database,
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
  isElsewhere = false,
): Promise<Page | null> {
  const workspaceId = currentWorkspaceId();
  const known = await commonWords(database, resource.search?.texts?.bits, workspaceId);
  const near = isElsewhere ? undefined : await readNear(database, resource, plan, scope, known);
  if (near === null || typeof near === 'object') return near;
  const ranked = rankedStatement(resource, plan, workspaceId, scope, known);
  return ranked && readAll(database, ranked);
}

/** A page that is among the first rows in its order; its total where it is not all there, null where bits do not tell, undefined where it is not looked for. */
async function readNear(
  database: Database,
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
  known: ReadonlySet<string>,
): Promise<Page | number | null | undefined> {
  const near = isNear(plan) ? nearStatement(resource, plan, currentWorkspaceId(), scope, known) : null;
  if (!near) return undefined;
  const page = await readAll(database, near);
  return page === null || isWhole(page, plan) ? page : page.total;
}
