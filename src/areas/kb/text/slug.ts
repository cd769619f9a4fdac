import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import { freeSlug as firstFree, slugOf } from '../../../platform/text/slug';
import { firstCharacters } from '../../../platform/text/normalise';

const MAX_LENGTH = 80;
/** Room that a derived slug leaves for `-` and a number. */
const SUFFIX_LENGTH = 8;

type SluggedTable = 'kb_articles' | 'kb_categories';

/** What slugs of titles without a letter are made of. */
const FALLBACKS: Readonly<Record<SluggedTable, string>> = { kb_articles: 'article', kb_categories: 'category' };

/**
 * The slug of a record: the one that was chosen for it, or one of its title that no other of the language has. The caller
 * holds the lock that everybody holds who sets slugs of the table.
 *
 * @param own id of the record itself; null for a new one
 */
export async function slugFor(
  database: Database,
  table: SluggedTable,
  own: number | null,
  { title, slug, slug_given, language }: { title: string; slug: string; slug_given: boolean; language: string },
): Promise<string> {
  if (!slug_given) return freeSlug(database, table, slugBase(title, language, FALLBACKS[table]), language, own);
  requireSlug(slug, language);
  return slug;
}

/** Whether a record of another system can have the slug that it had there. The caller holds that lock, too. */
export async function isFreeSlug(
  database: Database,
  table: SluggedTable,
  slug: string,
  language: string,
): Promise<boolean> {
  if (slugOf(slug, { language, maxLength: MAX_LENGTH }) !== slug) return false;
  const rows = await database.query(
    `SELECT FROM ${table} WHERE workspace_id = $1 AND language = $2 AND slug = $3 LIMIT 1`,
    [currentWorkspaceId(), language, slug],
  );
  return rows.length === 0;
}

/** What is said of a record that has another slug than it had elsewhere: links to it lead nowhere. */
export function slugWarnings(said: string | undefined, is: string | undefined): string[] {
  if (!said || said === is) return [];
  return [`slug: "${firstCharacters(said, MAX_LENGTH)}" is taken or no address here; it is "${is ?? ''}"`];
}

/** A slug that was chosen; 422 when it could not stand in an address as it is. */
function requireSlug(slug: string, language: string): void {
  const possible = slugOf(slug, { language, maxLength: MAX_LENGTH });
  if (possible === slug) return;
  invalid(
    'slug',
    'format',
    `"slug" must be lower-case letters and digits with single hyphens between${possible === null ? '' : `, e.g. ${possible}`}.`,
  );
}

/** The slug made of a title, with `-2`, `-3` and so on where others of the language have it. */
async function freeSlug(
  database: Database,
  table: SluggedTable,
  base: string,
  language: string,
  own: number | null,
): Promise<string> {
  const rows = await database.query<{ slug: string }>(
    `SELECT slug FROM ${table} WHERE workspace_id = $1 AND language = $2 AND id IS DISTINCT FROM $4::bigint
       AND (slug = $3 OR starts_with(slug, $3 || '-'))`,
    [currentWorkspaceId(), language, base, own],
  );
  return firstFree(base, new Set(rows.map((row) => row.slug)));
}

/** What a derived slug is made of, short enough for a number behind it. */
export function slugBase(title: string, language: string, fallback: string): string {
  return slugOf(title, { language, maxLength: MAX_LENGTH - SUFFIX_LENGTH }) ?? fallback;
}
