// Raw rows: tables of any length, whose records are read as the JSON text that lists have.
import { setTimeout as sleep } from 'node:timers/promises';
import { current, currentWorkspaceId, runInContext } from '../../context/current';
import type { Database } from '../../database/database';
import { ApiError } from '../../errors/api-error';
import { CUSTOM_FIELDS } from '../../fields/field-definition';
import { ListResult } from '../../http/results';
import { type ColumnPath, columnsOfAll, type Records, type Table } from '../../http/table/table';
import type { TableFormat } from '../../http/table/table-format';
import { ownJson } from '../../text/json';
import type { RawRow } from '../../postgres/statement-batch';
import {
  type ListPlan,
  MAX_LIMIT,
  namesPage,
  parseListQuery,
  parsePaging,
  type RawQuery,
  sortText,
} from './list-query';
import { findPage, readFound } from './page';
import type { Edge, Page } from './page-row';
import { pageLinks } from './page-links';
import { rowsStatement } from './read-plan';
import { type Resource, resourceIfAny } from '../resource';
import { type Selection, wholeSelection } from './selection';
import type { Scope } from './where';

/** Where a list was asked for, so that its links can lead back, and as what. */
export interface ListParams {
  path: string;
  query: RawQuery;
  /** The table that the client prefers to JSON. */
  table?: TableFormat | null;
}

/** Records of a table that are read at once behind the first page, so few that others have their turn; fewer after a failure, for large ones take longer than a statement may. */
const SIZES = [250, 100, 10];
/** The same of what nobody waits for. */
const LARGER_SIZES = [1_000, 100, 10];
/** The first of them: many tables are looked at by their beginning alone. Twice as many each time. */
const FEWEST = 100;
/** Characters of records that are read at once, whatever their number. */
const MAX_CHARACTERS = 4 * 1_024 * 1_024;
/** Times that a page is asked for, with a pause in between. */
const ATTEMPTS = 4;
const PAUSE_MS = 1_000;

/** One page, with links and the exact total; as a table all that the filters leave, unless the request names a page. */
export async function answerList(
  database: Database,
  resource: Resource,
  asked: ListPlan,
  { path, query, table: format = null }: ListParams,
  scope: Scope,
): Promise<ListResult> {
  const isWhole = format !== null && !namesPage(query);
  const plan = isWhole ? { ...asked, limit: MAX_LIMIT } : asked;
  const page = await findPage(database, resource, plan, scope, !isWhole);
  const links = pageLinks(path, query, plan, page.total, page);
  const table = format && {
    format,
    columns: columnsOf(resource, plan.selection),
    name: resource.name,
    rest: isWhole ? restOf(database, resource, plan, scope, page) : null,
  };
  return new ListResult(page.text, page.total, plan.limit, plan.offset, links, undefined, table ?? undefined);
}

/** One page of a list that is known by heart, e.g. a catalogue, in the envelope of all lists; as a table all of it. */
export function plainList({ path, query, table: format }: ListParams, items: readonly object[]): ListResult {
  const paging = parsePaging(query);
  const { limit, offset } = paging;
  const links = pageLinks(path, query, paging, items.length);
  const shown = format && !namesPage(query) ? items : items.slice(offset, offset + limit);
  const name = path.split('/').at(-1) ?? '';
  const table: Table | undefined = format ? { format, columns: columnsOfAll(items), name, rest: null } : undefined;
  return new ListResult(JSON.stringify(shown), items.length, limit, offset, links, undefined, table);
}

/** The columns of a table: what was selected, and the members of each record that is embedded. */
export function columnsOf(resource: Resource, { fields, keys, expand }: Selection): ColumnPath[] {
  const defined = fields.includes(CUSTOM_FIELDS) ? (keys ?? resource.defined.map(({ key }) => key)) : [];
  const embedded = expand.flatMap((name): ColumnPath[] => {
    const relation = resource.expand[name];
    if (relation && 'many' in relation) return [[name], [`${name}_truncated`]];
    const target = relation && 'one' in relation ? resourceIfAny(relation.one) : undefined;
    return target ? target.columns.map((column): ColumnPath => [name, column.name]) : [[name]];
  });
  const own = fields.filter((name) => name !== CUSTOM_FIELDS || keys === null).map((name): ColumnPath => [name]);
  return [...own, ...defined.map((key): ColumnPath => [CUSTOM_FIELDS, key]), ...embedded];
}

/** Reads what is behind a page, in the context of the request, whoever asks for it; null when there is nothing. */
function restOf(
  database: Database,
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
  { last, rows }: Page,
): (() => Records) | null {
  if (!last || rows < plan.limit) return null;
  const context = current();
  const read = <T>(work: () => Promise<T>): Promise<T> => runInContext(context, work);
  return () => recordsBehind(database, { resource, plan, scope, last }, read);
}

interface Behind {
  resource: Resource;
  plan: ListPlan;
  scope: Scope;
  last: Edge;
}

/**
 * Page after page from a position on, each read on its own: no connection and no snapshot is held while the client takes its time. A
 * record that is there all the time comes exactly once, as it is when its page is read, unless it changes its place in the order meanwhile.
 */
async function* recordsBehind(
  database: Database,
  { resource, plan, scope, last }: Behind,
  within: <T>(work: () => Promise<T>) => Promise<T>,
): AsyncGenerator<readonly object[]> {
  // What a search has found is asked once, not for every page.
  const found = await within(() => readFound(database, resource, plan, scope));
  const sort = sortText(plan);
  const sizes = [...SIZES];
  let most = FEWEST;
  for (let edge = last; ;) {
    const position = { ...edge, direction: 'after', sort } as const;
    const rows = await within(() =>
      insist(sizes, (limit) => {
        const next = { ...plan, limit: Math.min(limit, most), offset: 0, position };
        return database.rawRead(
          rowsStatement(resource, next, currentWorkspaceId(), scope, MAX_CHARACTERS, found ?? undefined),
        );
      }),
    );
    most *= 2;
    const end = rows.at(-1);
    if (!end) return;
    yield rows.map(([json]) => ownJson<object>(json ?? '{}'));
    const [, id, key, ...more] = end.map((text) => text ?? '');
    edge = { key: key ?? '', id: Number(id), ...(more.length > 0 ? { more } : {}) };
  }
}

/** Asks again what failed for a moment, for less at a time: half a table is worth less than a late one. */
async function insist(sizes: number[], read: (limit: number) => Promise<RawRow[]>): Promise<RawRow[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read(sizes[0] ?? 1);
    } catch (error) {
      const isMomentary = error instanceof ApiError && error.type === 'service_unavailable';
      if (!isMomentary || attempt === ATTEMPTS) throw error;
      if (sizes.length > 1) sizes.shift();
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }
}

/**
 * The records behind an id, in its order, each as GET shows it: JSON texts, at most 1,000 of them or 4 MB; `lastId` is null when
 * there are none. Inside a unit of work or alone.
 */
export async function recordsAfter(
  database: Database,
  resource: Resource,
  id: number,
): Promise<{ texts: string[]; lastId: number | null }> {
  const plan = parseListQuery(resource, { sort: 'id' }, wholeSelection(resource));
  const position = { direction: 'after', sort: 'id', key: String(id), id } as const;
  const rows = await insist([...LARGER_SIZES], (limit) =>
    database.rawRead(
      rowsStatement(resource, { ...plan, limit, offset: 0, position }, currentWorkspaceId(), {}, MAX_CHARACTERS),
    ),
  );
  const last = rows.at(-1)?.[1];
  return { texts: rows.map(([json]) => json ?? ''), lastId: last ? Number(last) : null };
}
