import fc from 'fast-check';
import { provingKeys } from '../../src/platform/search/bits/word-bits';
import { lineMatches, termsOf } from '../../src/platform/search/terms';
import { fold, MAX_WORD, wordLine } from '../../src/platform/search/words';
import { anyText } from '../support/any-text';
import { useSql } from '../support/sql';

const sql = useSql();

describe('folding', () => {
  it('makes one of what looks alike', () => {
    const alike = ['Größe', 'GRÖSSE', 'gro\u0308ße', 'ｇｒösse'];
    expect(new Set(alike.map(fold))).toEqual(new Set(['grosse']));
    expect(['Łódź', 'Æsir', 'ΟΔΟΣ', 'Йод', 'ﾌﾟﾘﾝﾀ', 'ﬁn'].map(fold)).toEqual([
      'lodz',
      'aesir',
      'οδοσ',
      'иод',
      'プリンタ',
      'fin',
    ]);
  });

  it('changes nothing the second time', () => {
    fc.assert(fc.property(anyText, (text) => expect(fold(fold(text))).toBe(fold(text))));
  });

  it('makes the same lines of words as PostgreSQL, which have what a search for the text asks for', async () => {
    const texts = fc.sample(anyText, { numRuns: 400, seed: 7 }).filter((text) => text !== '');
    texts.push('ab '.repeat(40_000), `${'x'.repeat(70)} 印刷機 iPhone手机 ${'界'.repeat(90)}`, 'half ½ of 10.0.0.7');
    const rows = await sql.rows<{ line: string }>(
      `SELECT words_of(x) AS line FROM unnest($1::text[]) WITH ORDINALITY AS t (x, n) ORDER BY n`,
      [texts],
    );
    for (const [index, text] of texts.entries()) {
      const line = rows[index]?.line ?? '';
      expect([text.slice(0, 200), line]).toEqual([text.slice(0, 200), wordLine(text)]);
      expect([text.slice(0, 200), lineMatches(line, termsOf(text))]).toEqual([text.slice(0, 200), true]);
    }
  });

  it('is the same in PostgreSQL, with runs of marks and with characters that grow, too', async () => {
    const hostile = fc.array(
      fc.oneof(
        anyText,
        fc
          .tuple(
            fc.constantFrom('\u0301', '\u0323\u0301', '\u05b0', '\u0f73', '\uff9e', '\u{1e8d0}', '\ufdfa', '㌖'),
            fc.nat(90),
          )
          .map(([part, count]) => part.repeat(count)),
      ),
      { maxLength: 6 },
    );
    const texts = fc.sample(hostile, { numRuns: 500, seed: 5 }).map((parts) => parts.join(''));
    texts.push('\ufdfa'.repeat(5_000), `a${'\u0301\u0323'.repeat(5_000)}b`, '𝐀'.repeat(3_000), '🄐'.repeat(3_000));
    const rows = await sql.rows<{ folded: string }>(
      `SELECT search_fold(x) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS t (x, n) ORDER BY n`,
      [texts],
    );
    for (const [index, text] of texts.entries()) expect([text, rows[index]?.folded]).toEqual([text, fold(text)]);
  });

  it('makes no more than twice the text and 1,000 characters of it', async () => {
    const texts = [`a${'\u0301\u0323'.repeat(32_000)}`, '\ufdfa'.repeat(65_536), '\u05b0\u0f73'.repeat(30_000)];
    for (const text of texts) {
      const [row] = await sql.rows<{ length: number }>('SELECT length(search_fold($1)) AS length', [text]);
      expect(row?.length).toBeLessThanOrEqual(2 * text.length + 1_000);
      expect(row?.length).toBe(fold(text).length);
    }
    expect(fold(texts[0] ?? '')).toBe('a');
  });

  it('ends in an index that PostgreSQL can hold, whatever the words are', async () => {
    // Each pair of characters is a word of its own, and the number of the workspace is part of each.
    const wide = Array.from({ length: 65_536 }, (_, index) => String.fromCodePoint(0x20000 + index)).join('');
    const words = Array.from({ length: 30_000 }, (_, index) => index.toString(36)).join(' ');
    for (const text of [wide, words, '漢字 '.repeat(30_000)]) {
      const [row] = await sql.rows<{ words: number }>(
        'SELECT length(search_terms(999999999, words_of($1), 255)) AS words',
        [text],
      );
      expect(row?.words).toBeGreaterThan(0);
    }
  });

  it('marks the workspace and the title in the index', async () => {
    const [row] = await sql.rows<{ lexemes: string[] }>(
      `SELECT tsvector_to_array(search_terms(12, words_of('Printer: jam! It''s jammed ' || repeat('x', 3000)), length(words_of('Printer: jam!')))) AS lexemes`,
    );
    const long = 'x'.repeat(MAX_WORD);
    expect(row?.lexemes.toSorted()).toEqual(
      ['12#jam', '12#printer', '12:it', '12:jam', '12:jammed', '12:printer', '12:s', `12:${long}`].toSorted(),
    );
  });
});

describe('keys that prove a phrase', () => {
  it('are the widest that have it in them', () => {
    const common = new Set([
      'log ',
      'in ',
      'log installation ',
      'log installation',
      'please log installation ',
      'blog in ',
    ]);
    expect(provingKeys(termsOf('log-in')[0]!.spellings, common)).toEqual(['log installation']);
    expect(provingKeys(termsOf('"log in"')[0]!.spellings, common)).toEqual([]);
    expect(provingKeys(termsOf('log')[0]!.spellings, common)).toEqual([]);
  });

  it('are in no line that has not the phrase', () => {
    const some = fc.array(fc.constantFrom('a', 'ab', 'abc', 'b', 'ba'), { minLength: 1, maxLength: 4 });
    const key = fc.tuple(some, fc.constantFrom('', ' ')).map(([words, end]) => `${words.join(' ')}${end}`);
    fc.assert(
      fc.property(some, fc.boolean(), fc.array(key, { maxLength: 12 }), some, (words, isQuoted, keys, rest) => {
        const terms = termsOf(isQuoted ? `"${words.join(' ')}"` : words.join('-'));
        for (const proof of provingKeys(terms[0]!.spellings, new Set(keys))) {
          const lines = [` ${proof}${rest.join(' ')} `, ` ${rest.join(' ')} ${proof}${proof.endsWith(' ') ? '' : ' '}`];
          expect(lines.every((line) => lineMatches(line, terms))).toBe(true);
        }
      }),
    );
  });
});
