// Raw rows: lists, the hottest path: one row, whose JSON text goes out as it came.
import { currentWorkspaceId } from '../../context/current';
import type { Database } from '../../database/database';
import { invalid } from '../../errors/api-error';
import { KeptText } from '../../http/kept-text';
import type { RawRow, Statement } from '../../postgres/statement-batch';
import { isCountedFirst, isLookedFor, isNear, isSoonerPassed } from './gathering';
import { isSeenByBits, readAtOnce, readByRanks, readByValues } from './by-ranks';
import { KeptTexts } from './kept-texts';
import type { ListPlan } from './list-query';
import { lookedStatement } from './looked-page';
import { DEEP_OFFSET, sortKeys } from './page-order';
import type { Reads } from './page-reads';
import { isWhole, type Page, readAll, readPage, totalOf } from './page-row';
import { isStampable, listStatement, stampStatement } from './read-plan';
import type { Resource } from '../resource';
import { commonWords, forgetCommonWords } from '../../search/bits/common-words';
import { EVERY } from '../../search/bits/value-keys';
import { bitStatement } from './bits-plan';
import { type Found, foundStatement } from './search-plan';
import { soughtPage } from './sought-page';
import { isToldByCounters, type Scope, totalStatement } from './where';

const keptPages = new KeptTexts<Page>(8 * 1_024 * 1_024);

/** So few that a search finds are quick to find again. */
const QUICKLY_FOUND = 500;

const EMPTY: Page = { text: '[]', first: null, last: null, rows: 0, total: 0 };

/**
 * Reads a page: one statement, or two where the total, of a deep offset or of a search, tells how to ask for the rest.
 *
 * @param isCounted false where nobody is told the total of a first page: it is the number of its rows then, unless it is known
 */
export async function findPage(
  database: Database,
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
  isCounted = true,
): Promise<Page> {
  const workspaceId = currentWorkspaceId();
  const find = async (total: number | null, found?: Found): Promise<Page> =>
    readPage(await database.rawRead(listStatement(resource, plan, workspaceId, scope, total, found)));
  const whole =
    plan.search &&
    ((await readSought(database, resource, plan, scope)) ?? (await readAtOnce(database, resource, plan, scope)));
  if (whole) {
    requireFew(plan, whole.total);
    return whole;
  }
  const found = plan.search && (await readFound(database, resource, plan, scope, newestShown(resource, plan)));
  if (found) {
    requireFew(plan, found.total);
    if (found.total === 0) return EMPTY;
    const ranked = found.few || found.soon ? null : await readByRanks(database, resource, plan, scope);
    return ranked ?? find(found.total, found);
  }
  const isCountedAhead =
    sortKeys(plan).some(({ spec }) => spec.most !== undefined) ||
    isCountedFirst(resource, plan) ||
    (await isSeenByBits(database, resource, plan));
  const count = async (): Promise<number> =>
    Number((await database.rawRead(totalStatement(resource, plan, workspaceId, scope)))[0]?.[0]);
  const isLooked = await isLookedAlong(database, resource, plan, scope);
  if (isLooked && isNear(plan)) {
    const page = await readLooked(database, resource, plan, scope);
    if (isWhole(page, plan)) return page;
    return (await readByRanks(database, resource, plan, scope, true)) ?? find(page.total);
  }
  const isFar = (isLooked || plan.offset >= DEEP_OFFSET) && !plan.position;
  if (!isCountedAhead && !isCounted && !isToldByCounters(resource, plan, scope)) {
    const page = await find(plan.limit);
    return { ...page, total: page.rows };
  }
  if (!isCountedAhead && !isFar) return readFirst(database, resource, plan, scope);
  const counted = isCountedAhead ? null : await count();
  if (counted !== null && isSoonerPassed(plan, counted)) return find(counted);
  const values = await readByValues(database, resource, plan, scope);
  if (values && typeof values !== 'number') return values;
  const total = values ?? counted ?? (await count());
  requireFew(plan, total);
  return find(total);
}

/** A page whose total is read along; kept, where it is asked for again and again. */
async function readFirst(database: Database, resource: Resource, plan: ListPlan, scope: Scope): Promise<Page> {
  const workspaceId = currentWorkspaceId();
  const plain = listStatement(resource, plan, workspaceId, scope, null);
  if (!isStampable(resource, plan, plain)) return readPage(await database.rawRead(plain));
  return keptPages.read(database, {
    ...KEEPING,
    plain,
    stamped: () => listStatement(resource, plan, workspaceId, scope, null, undefined, true),
    asked: () => stampStatement(resource, plan, workspaceId, scope),
  });
}

/** Whether a list is looked for along its order first, and by bits where it is not there; in small workspaces all of it is soon gone through. */
async function isLookedAlong(database: Database, resource: Resource, plan: ListPlan, scope: Scope): Promise<boolean> {
  const bits = resource.search?.texts?.bits;
  if (!bits || !isLookedFor(plan) || !isToldByCounters(resource, plan, scope)) return false;
  return (await commonWords(database, bits, currentWorkspaceId())).has(EVERY);
}

/** A page from the first rows in its order, which may be fewer than it has; kept as any other. */
async function readLooked(database: Database, resource: Resource, plan: ListPlan, scope: Scope): Promise<Page> {
  const workspaceId = currentWorkspaceId();
  const statement = (reads: Reads): Statement => lookedStatement(resource, plan, workspaceId, scope, reads);
  const plain = statement('texts');
  if (!isStampable(resource, plan, plain)) return readPage(await database.rawRead(plain));
  return keptPages.read(database, {
    ...KEEPING,
    plain,
    stamped: () => statement('stamped'),
    asked: () => statement('stamps'),
  });
}

/** A page of a search that one statement answers, its total with it; null where it takes more. */
async function readSought(database: Database, resource: Resource, plan: ListPlan, scope: Scope): Promise<Page | null> {
  if (resource.search?.found) return null;
  const workspaceId = currentWorkspaceId();
  const common = await commonWords(database, resource.search?.texts?.bits, workspaceId);
  const sought = soughtPage(resource, plan, workspaceId, scope, common);
  if (!sought) return null;
  const { statement, isByWords } = sought;
  const plain = statement('texts');
  const isFirst = plan.selection.expand.length === 0 && plan.offset === 0 && plan.position === null;
  if (!isFirst || plain.unnamed) return readAll(database, plain);
  const page = await keptPages.read(database, {
    ...KEEPING,
    plain,
    stamped: () => statement('stamped'),
    asked: ({ total }) => ({ ...statement('stamps'), quick: isByWords && total <= QUICKLY_FOUND }),
  });
  return Number.isNaN(page.total) ? null : page;
}

/** 422 where more records are to be sorted than can be, without an index. */
function requireFew(plan: ListPlan, total: number): void {
  for (const { name, spec } of sortKeys(plan)) {
    if (spec.most !== undefined && total > spec.most)
      invalid('sort', 'max', `"sort=${name}" sorts at most ${spec.most} records; filter the list, it has ${total}.`, {
        max: spec.most,
      });
  }
}

/**
 * What a search finds, ahead of its pages: by the bits of its words where all of them are common, otherwise by the index of words.
 * Null for what is no search, and where the area finds by itself.
 *
 * @param newest of so many of the newest, no more need to be found
 */
export async function readFound(
  database: Database,
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
  newest: number | null = null,
): Promise<Found | null> {
  if (!plan.search || resource.search?.found) return null;
  const workspaceId = currentWorkspaceId();
  const bits = resource.search?.texts?.bits;
  const common = await commonWords(database, bits, workspaceId);
  const byBits = bitStatement(resource, plan, workspaceId, scope, common, newest);
  const byNumber = byBits ? (await database.rawRead(byBits))[0] : undefined;
  if (typeof byNumber?.[0] === 'string') return foundOf(byNumber, 'number');
  if (bits && byNumber) forgetCommonWords(database, bits, workspaceId);
  const [byId] = await database.rawRead(foundStatement(resource, plan, workspaceId, scope, common));
  return foundOf(byId ?? [], 'id');
}

function foundOf([total, array, soon]: RawRow, by: 'id' | 'number'): Found {
  return { total: Number(total), few: typeof array === 'string' ? { by, array } : null, soon: soon === 't' };
}

/** How many of the newest a page and those before it have; null where it is another order's, or begins at a position. */
function newestShown({ search }: Resource, { sort, further, position, offset, limit }: ListPlan): number | null {
  const isNewestFirst = sort.spec.column === search?.texts?.sortedBy && sort.descending && further.length === 0;
  return isNewestFirst && !position && offset < DEEP_OFFSET ? offset + limit : null;
}

/** Place of the stamp among the columns of a page, where there is one. */
const STAMP = 7;

/** How a page is kept, whatever it was found by. */
const KEEPING = {
  place: STAMP,
  read: readPage,
  kept: (page: Page): Page => ({ ...page, text: new KeptText(String(page.text)) }),
  again: (page: Page, row: RawRow): Page => ({ ...page, total: totalOf(row[1]) }),
};
