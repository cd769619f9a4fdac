import slugify from 'slugify';
import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/http/errors';
import { normalise } from '../../../platform/text/normalise';

const MAX_LENGTH = 80;
/** Room that a derived slug leaves for `-` and a number. */
const SUFFIX_LENGTH = 8;
const LATIN = /^[\p{Script=Latin}\p{N}\p{M}]+$/u;

/**
 * A title as part of an address: `Größe ändern` -> `groesse-aendern` (in German). Latin words become ASCII by the habits of
 * the language, words of other scripts keep their letters; null when none is left. Slugging a slug changes nothing.
 */
export function slugOf(title: string, language: string, maxLength = MAX_LENGTH): string | null {
  const locale = language.split('-')[0] ?? '';
  const words = normalise(title, 'NFKC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const parts = words.map((word) => (LATIN.test(word) ? latin(word, locale) : normalise(word.toLowerCase(), 'NFKC')));
  const slug = parts.filter((part) => part !== '').join('-');
  const cut = Array.from(slug).slice(0, maxLength).join('').replace(/-+$/, '');
  return cut === '' ? null : cut;
}

function latin(word: string, locale: string): string {
  return slugify(word, { lower: true, strict: true, locale });
}

/** A slug that was chosen; 422 when it could not stand in an address as it is. */
export function requireSlug(slug: string, language: string): void {
  const possible = slugOf(slug, language);
  if (possible === slug) return;
  invalid(
    'slug',
    'format',
    `"slug" must be lower-case letters and digits with single hyphens between${possible === null ? '' : `, e.g. ${possible}`}.`,
  );
}

/**
 * The slug made of a title, with `-2`, `-3` and so on where others of the language have it. The caller holds the lock that
 * everybody holds who sets slugs of the table.
 *
 * @param own id of the record itself; null for a new one
 */
export async function freeSlug(
  database: Database,
  table: 'kb_articles' | 'kb_categories',
  base: string,
  language: string,
  own: number | null,
): Promise<string> {
  const rows = await database.query<{ slug: string }>(
    `SELECT slug FROM ${table} WHERE workspace_id = $1 AND language = $2 AND id IS DISTINCT FROM $4::bigint
       AND (slug = $3 OR starts_with(slug, $3 || '-'))`,
    [currentWorkspaceId(), language, base, own],
  );
  const taken = new Set(rows.map((row) => row.slug));
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
}

/** What a derived slug is made of, short enough for a number behind it. */
export function slugBase(title: string, language: string, fallback: string): string {
  return slugOf(title, language, MAX_LENGTH - SUFFIX_LENGTH) ?? fallback;
}
