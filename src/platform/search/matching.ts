import { sequence, type Spelling, type Term } from './terms';

/** Words of one spelling that are looked up in the index; whether all of them follow each other is told by the text. */
const MOST_LOOKED_UP = 12;

/** Where a word must stand: anywhere in the text, or in its title. The sign that the index has between workspace and word. */
export const MARKS = { anywhere: ':', title: '#' } as const;
export type Mark = (typeof MARKS)[keyof typeof MARKS];

/**
 * The terms as a `tsquery` over what `search_terms` makes of a line of words. Lexemes are quoted, so nothing of a search is ever
 * an operator. Several words of one spelling are only all there: `sequenceConditions` tells whether they follow each other.
 *
 * @param workspaceId inside each lexeme: the words of another workspace cannot match
 * @param options `whole`: beginnings do not count
 */
export function lexemeQuery(
  terms: readonly Term[],
  workspaceId: number,
  { mark = MARKS.anywhere, whole = false }: { mark?: Mark; whole?: boolean } = {},
): string {
  const one = ({ words, prefix }: Spelling): string =>
    words
      .slice(0, MOST_LOOKED_UP)
      .map((word, index) => {
        const begins = prefix && !whole && index === words.length - 1;
        return `'${`${workspaceId}${mark}${word}`.replace(/['\\]/g, '$&$&')}'${begins ? ':*' : ''}`;
      })
      .join(' & ');
  return terms.map(({ spellings }) => `(${spellings.map(one).join(' | ')})`).join(' & ');
}

/**
 * SQL conditions that the words of each term follow each other; none for terms of one word, which the index answers alone.
 *
 * @param line SQL of the line of words
 */
export function sequenceConditions(terms: readonly Term[], bind: (value: unknown) => string, line: string): string[] {
  return terms
    .filter(({ spellings }) => spellings.some(({ words }) => words.length > 1))
    .map((term) => lineCondition(term, bind, line));
}

/** SQL condition that a line of words has the term, told by the line alone. `strpos` skips ahead where LIKE looks at each letter. */
export function lineCondition({ spellings }: Term, bind: (value: unknown) => string, line: string): string {
  const ways = spellings.map((spelling) => `strpos(${line}, ${bind(sequence(spelling))}::text) > 0`);
  return ways.length > 1 ? `(${ways.join(' OR ')})` : (ways[0] ?? 'FALSE');
}
