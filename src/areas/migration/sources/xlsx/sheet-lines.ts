import { columnNames } from '../csv-rows';
import { plainName } from '../../mapping/words';
import type { Sheet } from './workbook';

/** Lines between two rows that are kept as such: a sheet says the numbers of its rows. */
const MAX_GAP = 10_000;

/** What sheets are called whose records become those of an entity, besides its own name. */
const TITLES: Readonly<Record<string, readonly string[]>> = {
  companies: ['company', 'organizations', 'firmen', 'unternehmen'],
  users: ['agents', 'agenten', 'benutzer'],
  contacts: ['customers', 'requesters', 'kontakte', 'kunden'],
  categories: ['groups', 'kategorien', 'gruppen'],
  kb_categories: ['sections', 'folders', 'rubriken'],
  kb_articles: ['articles', 'artikel', 'beiträge'],
  kb_article_versions: ['versions', 'versionen'],
  assets: ['devices', 'inventory', 'geräte', 'inventar'],
  leads: ['prospects', 'interessenten'],
  deals: ['opportunities', 'verkaufschancen'],
  tickets: ['issues', 'requests', 'anfragen', 'vorgänge'],
  ticket_comments: ['comments', 'replies', 'kommentare', 'antworten'],
};

/**
 * The sheets that are read, by what becomes of their records: those that are called like an entity; where none is, the first one.
 *
 * @param known names of entities
 * @param entity what the first sheet becomes
 */
export function chosenSheets(sheets: readonly Sheet[], known: readonly string[], entity: string): Map<string, Sheet> {
  const chosen = new Map<string, Sheet>();
  for (const sheet of sheets) {
    const title = plainName(sheet.name);
    const named = known.find((name) => [name, ...(TITLES[name] ?? [])].some((each) => plainName(each) === title));
    if (named !== undefined && !chosen.has(named)) chosen.set(named, sheet);
  }
  const [first] = sheets;
  return chosen.size === 0 && first ? new Map([[entity, first]]) : chosen;
}

/** The records of a sheet as NDJSON, each in the line that its row has; the first row that says something names the columns. */
export async function* linesOf(sheet: Sheet): AsyncGenerator<Buffer> {
  let columns: string[] | null = null;
  let line = 1;
  for await (const { row, cells } of sheet.rows()) {
    const isEmpty = cells.every((cell) => (cell ?? '') === '');
    if (isEmpty) continue;
    if (!columns) {
      columns = columnNames(Array.from(cells, (cell) => String(cell ?? '')));
      continue;
    }
    const gap = Math.min(Math.max(0, row - line), MAX_GAP);
    const record = Object.fromEntries(columns.map((name, place) => [name, cells[place] ?? null]));
    yield Buffer.from(`${'\n'.repeat(gap)}${JSON.stringify(record)}\n`);
    line += gap + 1;
  }
}
