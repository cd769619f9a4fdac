import fc from 'fast-check';
import { commonKeys, keysOf } from '../../src/platform/search/bits/common-keys';
import { type FoldedRecord, RecordKeys } from '../../src/platform/search/bits/folding';
import { codeKey, codePlaces, EVERY, facetKey } from '../../src/platform/search/bits/value-keys';
import {
  beginningSets,
  CHUNK,
  CHUNK_BYTES,
  leading,
  PAIR_KEYS,
  pairSets,
  wordKey,
} from '../../src/platform/search/bits/word-bits';
import { lineMatches, type Term, termsOf } from '../../src/platform/search/terms';

/** Few letters, so that words begin alike and follow each other again; one of two units, one that no ASCII has. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '𠀀'), minLength: 1, maxLength: 3 });
const line = fc.array(word, { maxLength: 8 }).map((words) => ` ${words.map((each) => `${each} `).join('')}`);

/** What the keys of words say: the beginning of a word follows a space, and phrases are words one after the other. */
const has = (text: string, key: string): boolean => text.includes(` ${key}`);

/** All that could be a key of some line: beginnings of up to four words, or these as a whole. */
function candidates(lines: readonly string[]): Set<string> {
  const keys = new Set<string>();
  for (const text of lines) {
    const words = text.trim().split(' ').filter(Boolean);
    for (const [at, own] of words.entries()) {
      for (const key of keysOf(own)) keys.add(key);
      for (let length = 2; length <= 4 && at + length <= words.length; length++) {
        const phrase = words.slice(at, at + length).join(' ');
        keys.add(phrase).add(`${phrase} `);
      }
    }
  }
  return keys;
}

describe('keys that are chosen', () => {
  it('are those that enough lines have, of words by the letter and of phrases as a whole', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), (lines, least) => {
        const chosen = new Set(commonKeys(lines, least / Math.max(1, lines.length), 100_000));
        for (const key of candidates(lines)) {
          // The beginning of a phrase is a key where the phrase is one.
          const counted = key.includes(' ') ? `${key.trimEnd()} ` : key;
          const count = lines.filter((text) => has(text, counted)).length;
          expect([key, chosen.has(key)]).toEqual([key, count >= least]);
        }
      }),
    );
  });

  it('are the most common ones where there are too many', () => {
    expect(commonKeys([' ab cd ', ' ab ', ' x '], 0.3, 3)).toEqual(['a', 'ab', 'ab ']);
  });

  it('take no more memory for lines that have no word in common', () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => {
      const words = Array.from({ length: 400 }, (__, index) => `zz${(at * 400 + index).toString(36)} `);
      return ` ${words.join('')}`;
    });
    const keys = commonKeys(lines, 0.01, 6_000);
    expect(keys).toEqual(expect.arrayContaining(['z', 'zz']));
    expect(keys.every((key) => key.length <= 5)).toBe(true);
  });
});

describe('keys that a record has', () => {
  const ranks = { rank: 'level', moment: 'moment' } as const;
  const columns = { facets: ['status', 'team'], ranks };
  const code = fc.integer({ min: 0, max: 31 });
  const record = fc.tuple(line, fc.constantFrom('open', 'closed', null), fc.constantFrom('7', '8', null), code, code);
  const records = fc.uniqueArray(fc.tuple(fc.nat(CHUNK - 1), fc.option(record)), {
    selector: ([number]) => number,
    maxLength: 6,
  });

  it('are those of its words, beginnings, phrases, pairs and values', () => {
    const value = fc.constantFrom(EVERY, facetKey('status', 'open'), facetKey('team', '7'), facetKey('team', null));
    const digit = fc.constantFrom(...codePlaces('level').map((place) => codeKey('rank', place)));
    fc.assert(
      fc.property(
        records,
        fc.array(value),
        fc.array(digit),
        fc.infiniteStream(fc.boolean()),
        (some, values, digits, coin) => {
          const lines = some.flatMap(([, given]) => (given ? [given[0]] : []));
          const words = [...candidates(lines)].filter(() => coin.next().value);
          const keys = [...new Set([...PAIR_KEYS, ...words, ...values, ...digits])];
          const bits = Buffer.alloc(keys.length * CHUNK_BYTES);
          const given = some.map(([number, of]): FoldedRecord => [number + 3 * CHUNK, ...(of ?? ([null] as const))]);
          const known = new RecordKeys(keys, columns);
          known.add(given.slice(0, 2), bits);
          known.add(given.slice(2), bits);
          for (const [number, of] of some) {
            const own = keys.filter((_, index) => isSet(bits, index * CHUNK + number));
            expect(new Set(own)).toEqual(new Set(of ? keysOfRecord(of, keys) : []));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  function isSet(bits: Buffer, place: number): boolean {
    return ((bits[place >> 3] ?? 0) & (128 >> (place & 7))) !== 0;
  }

  function keysOfRecord(
    [text, status, team, rank]: [string, string | null, string | null, number, number],
    keys: readonly string[],
  ): string[] {
    const known = new Set(keys);
    const words = text.trim().split(' ').filter(Boolean);
    const isCommon = (each: string): boolean => known.has(`${each} `);
    const sets = words.slice(1).flatMap((second, at) => {
      const first = words[at] ?? '';
      if (!isCommon(first)) return [];
      return [...(isCommon(second) ? pairSets(first, second) : []), ...beginningSets(first, second)];
    });
    const own = new Set([
      EVERY,
      facetKey('status', status),
      facetKey('team', team),
      ...codePlaces('level').flatMap((place) => ((rank >> place) & 1 ? [codeKey('rank', place)] : [])),
      ...sets.map((set) => PAIR_KEYS[set] ?? ''),
    ]);
    return keys.filter((key) => own.has(key) || (/^[^~=#]/.test(key) && hasKey(text, key, isCommon)));
  }

  /** A phrase is found behind a first word that is common. */
  function hasKey(text: string, key: string, isCommon: (word: string) => boolean): boolean {
    const [first = '', second] = key.trimEnd().split(' ');
    return has(text, key) && (second === undefined || isCommon(first));
  }

  it('are the same whatever was forgotten meanwhile', () => {
    const keys = ['a', 'a0', 'word ', 'same words', 'same words ', 'same '];
    const known = new RecordKeys(keys, { facets: [], ranks: {} });
    const bits = Buffer.alloc(keys.length * CHUNK_BYTES);
    const own = (at: number): string => Array.from({ length: 9_000 }, (_, index) => `a${index}x${at}`).join(' ');
    for (let at = 0; at < 6; at++) known.add([[at, ` same words ${own(at)} word `]], bits);
    for (let at = 0; at < 6; at++)
      expect(keys.map((_, index) => isSet(bits, index * CHUNK + at))).toEqual(keys.map(() => true));
  });
});

describe('what the index of words is asked for', () => {
  /** Whether the index leads to the line: each word of a spelling is somewhere in it. */
  const leadsTo = (text: string, { spellings }: Term): boolean =>
    spellings.some(({ words, prefix }) =>
      words.every((each, at) => has(text, wordKey(each, prefix && at === words.length - 1))),
    );

  it('leads to every line that has the terms, whatever is common', () => {
    const search = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), search, fc.integer({ min: 1, max: 4 }), (lines, parts, least) => {
        const terms = termsOf(parts.map((words) => words.join('-')).join(' '));
        const common = new Set(commonKeys(lines, least / Math.max(1, lines.length), 100_000));
        const { led, asked, looked } = leading(terms, common);
        expect([...led, ...looked]).toEqual(expect.arrayContaining(terms));
        expect(asked).toHaveLength(led.length);
        for (const text of lines.filter((each) => lineMatches(each, terms)))
          expect([text, asked.every((term) => leadsTo(text, term))]).toEqual([text, true]);
      }),
    );
  });

  it('is no beginning that many lines have, beside a word that few have', () => {
    const asked = (text: string, common: readonly string[]): unknown =>
      leading(termsOf(text), new Set(common)).asked.map(({ spellings }) => spellings);
    expect(asked('x-mail', ['mail'])).toEqual([[{ words: ['x'], prefix: false }]]);
    expect(asked('x-mail', [])).toEqual([[{ words: ['x', 'mail'], prefix: true }]]);
    expect(asked('"x mail"', ['mail', 'mail '])).toEqual([[{ words: ['x', 'mail'], prefix: false }]]);
    // Both are common: bits answer, and where they cannot, the index is asked for all.
    expect(asked('log-mail', ['log ', 'mail'])).toEqual([[{ words: ['log', 'mail'], prefix: true }]]);
  });
});
