import slugify from 'slugify';
import { normalise } from './normalise';

const LATIN = /^[\p{Script=Latin}\p{N}\p{M}]+$/u;

/** What a slug may be. */
export interface SlugRules {
  /** Characters, at most. */
  maxLength: number;
  /** BCP 47 tag of the text: how its letters become ASCII (`ö` is `oe` in German). */
  language?: string;
  /** ASCII alone; otherwise words of other scripts keep their letters. */
  isAscii?: boolean;
}

/**
 * A text as part of an address: `Größe ändern` -> `groesse-aendern` (in German): lower case, words joined by single hyphens. Null
 * when nothing is left of it. Slugging a slug changes nothing.
 */
export function slugOf(text: string, { maxLength, language = 'en', isAscii = false }: SlugRules): string | null {
  const locale = language.split('-')[0] ?? '';
  const words = normalise(text, 'NFKC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const parts = words.map((word) =>
    isAscii || LATIN.test(word)
      ? slugify(word, { lower: true, strict: true, locale })
      : normalise(word.toLowerCase(), 'NFKC'),
  );
  const slug = parts.filter((part) => part !== '').join('-');
  const cut = Array.from(slug).slice(0, maxLength).join('').replace(/-+$/, '');
  return cut === '' ? null : cut;
}

/** The slug, or the first of `slug-2`, `slug-3`, … that is not taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}
