// Raw rows: lists, the hottest path: one row, whose JSON text goes out as it came.
import { currentWorkspaceId } from '../../context/current';
import type { Database } from '../../database/database';
import { invalid } from '../../errors/api-error';
import { KeptText } from '../../http/kept-text';
import type { RawRow, Statement } from '../../postgres/statement-batch';
import { fewWithinBounds, isCountedFirst, isInOrder, isSoonerPassed } from './gathering';
import { KeptTexts } from './kept-texts';
import type { ListPlan } from './list-query';
import { DEEP_OFFSET, sortKeys } from './page-order';
import type { Position } from './position';
import { isNear, nearStatement, rankedStatement, rankedTotal } from './ranked-plan';
import { isStampable, listStatement, stampStatement } from './read-plan';
import type { Resource } from '../resource';
import { commonWords, forgetCommonWords } from '../../search/bits/common-words';
import { EVERY } from '../../search/bits/value-keys';
import { bitStatement } from './bits-plan';
import { dividedFilters, isPeriodOnly, seenFacets } from './ranked-filters';
import { type Found, foundStatement } from './search-plan';
import { soughtPage } from './sought-page';
import { type Scope, totalStatement } from './where';

/** First and last row of a page: where its neighbours begin. */
export interface PageEdges {
  first: Edge | null;
  last: Edge | null;
}

/** The sort keys of a row, as PostgreSQL writes them. */
export type Edge = Pick<Position, 'key' | 'more' | 'id'>;

/** A page as a list answers it. */
export interface Page extends PageEdges {
  /** JSON of the array of its records. */
  text: string | KeptText;
  rows: number;
  total: number;
}

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
  const isFar = plan.offset >= DEEP_OFFSET && !plan.position;
  if (!isCountedAhead && !isCounted) {
    const page = await find(plan.limit);
    return { ...page, total: page.rows };
  }
  if (!isCountedAhead && !isFar) return readFirst(database, resource, plan, scope);
  const count = async (): Promise<number> =>
    Number((await database.rawRead(totalStatement(resource, plan, workspaceId, scope)))[0]?.[0]);
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

/** Whether the caller sees but a part of many records, and bits tell which: they count it sooner. */
async function isSeenByBits(database: Database, resource: Resource, { seen }: ListPlan): Promise<boolean> {
  const bits = resource.search?.texts?.bits;
  if (seen === null || !bits) return false;
  const known = await commonWords(database, bits, currentWorkspaceId());
  return known.has(EVERY) && seenFacets(resource, seen, bits, known) !== null;
}

/** A page that is found by the bits of values; its total where they know no more, and null where they do not tell. */
async function readByValues(
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
async function readAtOnce(database: Database, resource: Resource, plan: ListPlan, scope: Scope): Promise<Page | null> {
  const bits = resource.search?.texts?.bits;
  if (!bits || plan.position !== null) return null;
  const known = await commonWords(database, bits, currentWorkspaceId());
  return isPeriodOnly(dividedFilters(plan.filters, bits, known).others)
    ? null
    : readByRanks(database, resource, plan, scope);
}

/** A page of the many that a search finds, by the bits of words and values; null where they do not tell. */
async function readByRanks(database: Database, resource: Resource, plan: ListPlan, scope: Scope): Promise<Page | null> {
  const workspaceId = currentWorkspaceId();
  const known = await commonWords(database, resource.search?.texts?.bits, workspaceId);
  const near = await readNear(database, resource, plan, scope, known);
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
  const isWhole = page === null || page.rows === Math.max(0, Math.min(plan.limit, page.total - plan.offset));
  return isWhole ? page : page.total;
}

/** A page whose statement may not tell its total: null then. */
async function readAll(database: Database, statement: Statement): Promise<Page | null> {
  const rows = await database.rawRead(statement);
  return rows[0]?.[TOTAL] === null ? null : readPage(rows);
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

/** Place of the total among the columns of `listStatement`. */
const TOTAL = 6;
/** The same of the stamp, where there is one. */
const STAMP = 7;

/** A total that is not told is no number. */
const totalOf = (text: string | null | undefined): number => (text === null ? NaN : Number(text));

/** How a page is kept, whatever it was found by. */
const KEEPING = {
  place: STAMP,
  read: readPage,
  kept: (page: Page): Page => ({ ...page, text: new KeptText(String(page.text)) }),
  again: (page: Page, row: RawRow): Page => ({ ...page, total: totalOf(row[1]) }),
};

/** Reads the row of a `listStatement`. */
function readPage(rows: RawRow[]): Page {
  const [json, firstKey, firstId, lastKey, lastId, count, total, ...further] = rows[0] ?? [];
  const more = (side: 0 | 1): Pick<Edge, 'more'> =>
    further.length === 0 ? {} : { more: further.filter((_, index) => index % 2 === side).map((key) => key ?? '') };
  const edge = (key: string | null | undefined, id: string | null | undefined, side: 0 | 1): PageEdges['first'] =>
    id === null || id === undefined ? null : { key: key ?? '', id: Number(id), ...more(side) };
  return {
    text: json ?? '[]',
    first: edge(firstKey, firstId, 0),
    last: edge(lastKey, lastId, 1),
    rows: Number(count),
    total: totalOf(total),
  };
}
