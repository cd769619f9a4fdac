import type { Spelling, Term } from './query';

/** How closely a record matches, best first; the order of the answer, and the base of its score. */
export const TIERS = ['title_words', 'title_prefixes', 'words', 'prefixes'] as const;
export type Tier = (typeof TIERS)[number];

/**
 * The terms as a `tsquery` over what `search_lexemes` makes of a text. Lexemes are quoted, so nothing of a search is ever
 * an operator.
 *
 * @param workspaceId inside each lexeme: the words of another workspace cannot match
 */
export function tsquery(terms: readonly Term[], tier: Tier, workspaceId: number): string {
  const mark = tier.startsWith('title') ? '#' : ':';
  const prefixes = tier.endsWith('prefixes');
  const one = ({ text, prefix }: Spelling): string =>
    `'${`${workspaceId}${mark}${text}`.replace(/['\\]/g, '$&$&')}'${prefixes && prefix ? ':*' : ''}`;
  return terms.map(({ spellings }) => `(${spellings.map(one).join(' | ')})`).join(' & ');
}
