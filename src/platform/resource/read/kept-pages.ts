// Raw rows: lists, the hottest path: where a page is what it was, its stamp and its total are all that is read.
import { LRUCache } from 'lru-cache';
import { current, currentWorkspaceId } from '../../context/current';
import type { Database } from '../../database/database';
import { KeptText } from '../../http/kept-text';
import type { RawRow, Statement } from '../../postgres/statement-batch';
import type { Resource } from '../resource';
import type { ListPlan } from './list-query';
import { isStampable, listStatement, stampStatement } from './read-plan';
import type { Scope } from './where';

/** Bytes of all pages of a process, with what they are found by, and of one. */
const MAX_BYTES = 8 * 1_024 * 1_024;
const MAX_PAGE_BYTES = 256 * 1_024;
/** Of what is kept besides a text. */
const OVERHEAD_BYTES = 500;
/** So long that numbers of transactions cannot have begun anew. */
const KEPT_MS = 60_000;

/** What a page is, as far as this is concerned. */
interface Text {
  text: string | KeptText;
  total: number;
}

interface Kept {
  page: Text;
  stamp: string;
  asked: Statement;
  /** Whether it was answered since it was read. */
  isUsed: boolean;
  /** Lost connections until it was read. */
  losses: number;
}

/** Null: asked for once. */
const known = new WeakMap<Database, LRUCache<string, { kept: Kept | null }>>();

/**
 * A page of a list that is asked for again and again: its text is kept in memory, and PostgreSQL is asked, under row-level security and in a
 * snapshot of its own as ever, for the stamps of the rows that the page has now, and the total. A stamp is the id of a row, the
 * transaction that wrote it and all that is shown of it that is not in the row; so where the stamps are the same, in the same order, the text
 * is. Otherwise, for what is asked for the first time, and inside a unit of work, `readPage` reads it.
 */
export async function readKept<Page extends Text>(
  database: Database,
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
  readPage: (rows: RawRow[]) => Page,
): Promise<Page> {
  const workspaceId = currentWorkspaceId();
  const plain = listStatement(resource, plan, workspaceId, scope, null);
  if (!isStampable(resource, plan, plain) || current().transaction) return readPage(await database.rawRead(plain));
  const pages = pagesOf(database);
  const key = `${plain.name} ${JSON.stringify(plain.values)}`;
  const entry = pages.get(key);
  if (!entry) {
    pages.set(key, { kept: null });
    return readPage(await database.rawRead(plain));
  }
  const { kept } = entry;
  const losses = database.losses();
  if (kept?.losses === losses) {
    const [row] = await database.rawRead(kept.asked);
    if (row?.[0] === kept.stamp) {
      kept.isUsed = true;
      return { ...(kept.page as Page), total: Number(row[1]) };
    }
    if (!kept.isUsed) {
      pages.set(key, { kept: null });
      return readPage(await database.rawRead(plain));
    }
  }
  const [row = []] = await database.rawRead(listStatement(resource, plan, workspaceId, scope, null, undefined, true));
  const page = readPage([[...row.slice(0, STAMP), ...row.slice(STAMP + 1)]]);
  const text = new KeptText(String(page.text));
  const stamp = row[STAMP] ?? '';
  const asked = stampStatement(resource, plan, workspaceId, scope);
  pages.set(key, { kept: { page: { ...page, text }, stamp, asked, isUsed: false, losses } });
  return page;
}

/** Place of the stamp among the columns of `listStatement`. */
const STAMP = 7;

function pagesOf(database: Database): LRUCache<string, { kept: Kept | null }> {
  let pages = known.get(database);
  if (!pages) {
    pages = new LRUCache({
      maxSize: MAX_BYTES,
      maxEntrySize: MAX_PAGE_BYTES,
      sizeCalculation: ({ kept }, { length }) => {
        const texts = kept ? kept.page.text.length + kept.stamp.length : 0;
        return OVERHEAD_BYTES + length + texts;
      },
      ttl: KEPT_MS,
    });
    known.set(database, pages);
  }
  return pages;
}
