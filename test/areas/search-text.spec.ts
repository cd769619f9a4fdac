import fc from 'fast-check';
import { correctionsOf, mistakesAllowed } from '../../src/areas/search/words/corrections';
import { editDistance } from '../../src/areas/search/words/edit-distance';
import { MOST_COUNTED, TIERS } from '../../src/areas/search/group-statement';
import { groupResult, scoreOf } from '../../src/areas/search/hits';
import { ticketNumber } from '../../src/areas/tickets/ticket-search';
import { emailAddress } from '../../src/platform/area/search-group';
import { SNIPPET_LENGTH, snippet } from '../../src/areas/search/snippet';
import { lexemeQuery } from '../../src/platform/search/matching';
import { lineMatches, termsOf } from '../../src/platform/search/terms';
import { fold, pairs, wordLine, wordsOf } from '../../src/platform/search/words';
import { anyText } from '../support/any-text';
import { useSql } from '../support/sql';

const sql = useSql();

describe('words of a text', () => {
  it('are where they say', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let before = 0;
        for (const word of wordsOf(text)) {
          expect(word.start).toBeGreaterThanOrEqual(before);
          expect(word.end).toBeGreaterThan(word.start);
          expect(fold(text.slice(word.start, word.end))).toContain(word.text);
          before = word.start;
        }
        expect(before).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('are pairs in scripts without spaces', () => {
    expect(pairs('印刷機')).toEqual(['印刷', '刷機']);
    expect(pairs('印')).toEqual(['印']);
    expect(wordsOf('VPN接続が slow').map(({ text }) => text)).toEqual(['vpn', '接続が', 'slow']);
  });
});

describe('terms', () => {
  it('are a query that PostgreSQL accepts, whatever was typed', async () => {
    const texts = fc.sample(anyText, { numRuns: 400, seed: 11 }).filter((text) => termsOf(text).length > 0);
    const queries = texts.flatMap((text) => TIERS.map((tier) => lexemeQuery(termsOf(text), 7, tier)));
    const rows = await sql.rows<{ query: string }>(`SELECT q::tsquery::text AS query FROM unnest($1::text[]) q`, [
      queries,
    ]);
    // Nothing but words of this workspace, and/or between them, and beginnings: no operator came from outside.
    for (const { query } of rows) {
      expect(query.replace(/'(?:[^'\\]|''|\\\\)*'(?::\*)?/g, 'w').replace(/[ ()|&w]/g, '')).toBe('');
    }
    expect(rows.length).toBeGreaterThan(500);
  });

  it('are different ones, and none is empty', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { spellings } of termsOf(text)) {
          expect(spellings.every(({ words }) => words.length > 0 && words.every((word) => word !== ''))).toBe(true);
        }
      }),
    );
  });

  it('find every text by its words, by the beginnings of them, and by itself in quotes', () => {
    fc.assert(
      fc.property(anyText, fc.nat(5), (text, cut) => {
        const line = wordLine(text);
        const words = wordsOf(fold(text));
        expect(lineMatches(line, termsOf(`"${text.replaceAll('"', ' ')}"`))).toBe(true);
        for (const word of words) {
          expect(lineMatches(line, termsOf(word.text))).toBe(true);
          const begun = Array.from(word.text)
            .slice(0, cut + 1)
            .join('');
          expect(lineMatches(line, termsOf(begun))).toBe(true);
        }
      }),
    );
  });

  it.each<[string, string[][]]>([
    ['Printer, PRINTER', [['printer*']]],
    ['a printer', [['a*'], ['printer*']]],
    ['mueller', [['mueller*', 'muller*']]],
    ['shoe', [['shoe*', 'sho']]],
    ['印刷機', [['印刷 刷機*']]],
    ['印', [['印*']]],
    ['PC-4711 file_name', [['pc 4711*'], ['file name*']]],
    ['"paper Jam" tray "tray"', [['paper jam'], ['tray*'], ['tray']]],
    ['ada@example.com', [['ada example com*']]],
    ['iPhone手机 x', [['iphone 手机*'], ['x*']]],
    ['手机iPhone', [['手机 机 iphone*']]],
    ['"unfinished', [['unfinished*']]],
    ['a"b c"d', [['a*'], ['b c'], ['d*']]],
    ['"-&|!', []],
  ])('of %s are %j', (text, expected) => {
    const shown = termsOf(text).map(({ spellings }) =>
      spellings.map((each) => `${each.words.join(' ')}${each.prefix ? '*' : ''}`),
    );
    expect(shown).toEqual(expected);
  });

  it.each<[string, number | null]>([
    ['TCK-000123', 123],
    ['tck-1234567', 1234567],
    ['#123', 123],
    ['123', 123],
    ['TCK-123', null],
    ['#0', null],
    ['#12a', null],
    ['9999999999999999', null],
  ])('%s names the ticket %s', (text, number) => expect(ticketNumber(text)).toBe(number));

  it.each<[string, string | null]>([
    ['Ada@Example.org', 'ada@example.org'],
    ['ada', null],
    ['a b@example.org', null],
    ['@example.org', null],
  ])('%s is the address %s', (text, address) => expect(emailAddress(text)).toBe(address));
});

describe('a snippet', () => {
  const plainOf = (html: string): string =>
    html
      .replace(/<\/?mark>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&amp;/g, '&');

  it('is part of the text, escaped but for the marks, of a bounded length, with whole characters', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.nat(300), (text, search, filler) => {
        const full = `${'lorem '.repeat(filler)}${text} ${search} ${'ipsum '.repeat(filler)}`;
        const html = snippet(full, termsOf(search));
        expect(html.replace(/<\/?mark>/g, '')).not.toMatch(/[<>"']/);
        expect(html.isWellFormed()).toBe(full.isWellFormed());
        const plain = plainOf(html);
        const inner = plain.replace(/^…/, '').replace(/…$/, '');
        const whole = full.replace(/\s+/gu, ' ').trim();
        expect(
          whole.includes(inner) ||
            whole.includes(plain) ||
            whole.includes(plain.replace(/^…/, '')) ||
            whole.includes(plain.replace(/…$/, '')),
        ).toBe(true);
        expect(plain.length).toBeLessThanOrEqual(SNIPPET_LENGTH + 2);
        expect((html.match(/<mark>/g) ?? []).length).toBe((html.match(/<\/mark>/g) ?? []).length);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, string, string]>([
    ['Drucker im Büro', 'buro', 'Drucker im <mark>Büro</mark>'],
    ['all printers', 'printer', 'all <mark>printers</mark>'],
    ['印刷機が動きません', '印刷機', '<mark>印刷機</mark>が動きません'],
    ['lost PC-4711, my PC', 'pc-4711', 'lost <mark>PC</mark>-<mark>4711</mark>, my <mark>PC</mark>'],
    [
      '<script>alert("printer")</script>',
      'printer',
      '&lt;script&gt;alert(&quot;<mark>printer</mark>&quot;)&lt;/script&gt;',
    ],
    ['nothing of it', 'printer', 'nothing of it'],
    ['a\n\n  b', 'b', 'a <mark>b</mark>'],
    ['', 'printer', ''],
  ])('of %j for %j is %j', (text, search, expected) => expect(snippet(text, termsOf(search))).toBe(expected));

  it('shows the first hit, however far in, cut between words', () => {
    const text = `${'word '.repeat(500)}the zeppelin ${'more '.repeat(500)}`;
    const html = snippet(text, termsOf('zeppelin'));
    expect(html).toMatch(/^…word (word )*the <mark>zeppelin<\/mark> (more )*more…$/);
  });
});

describe('corrections', () => {
  it('are the nearest words, those that begin alike first', () => {
    expect(correctionsOf('pritner', ['printer', 'painter', 'prisoner', 'partner'])).toEqual(['printer']);
    expect(correctionsOf('moniter', ['monitor', 'monitored', 'minister'])).toEqual(['monitor']);
    expect(correctionsOf('abcd', ['abce', 'xbcd', 'abcf'])).toEqual(['abce', 'abcf', 'xbcd']);
    expect(correctionsOf('vpn', ['vpm'])).toEqual([]);
  });

  it('are at most so many letters away', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ü'), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 30 }), (typed, known) => {
        for (const found of correctionsOf(typed, known)) {
          expect(editDistance(typed, found, 9)).toBeLessThanOrEqual(mistakesAllowed(typed.length));
          expect(found).not.toBe(typed);
        }
      }),
    );
  });

  it('measure as a metric of edits does', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, fc.nat(8), (a, b, most) => {
        const distance = editDistance(a, b, 20);
        expect(editDistance(b, a, 20)).toBe(distance);
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(editDistance(a, b, most)).toBe(Math.min(distance, most + 1));
      }),
    );
    expect([editDistance('ab', 'ba', 3), editDistance('ca', 'abc', 9), editDistance('kitten', 'sitting', 9)]).toEqual([
      1, 3, 3,
    ]);
  });
});

describe('the score', () => {
  it('falls from the exact record to the beginning in the text, and with corrections and departures', () => {
    const of = (place: number, title = 'x', more: object = {}): number =>
      scoreOf({ id: 1, title, text: '', place, ...more }, wordLine('red fox'), false);
    expect([of(0), of(4, 'Red  FOX!'), of(1, 'a red fox'), of(1), of(2), of(3), of(4)]).toEqual([
      1, 1, 0.95, 0.8, 0.6, 0.4, 0.2,
    ]);
    expect(of(1, 'x', { last: true })).toBe(0.4);
    expect(scoreOf({ id: 1, title: 'x', text: '', place: 1 }, wordLine('red fox'), true)).toBe(0.4);
    expect(scoreOf({ id: 1, title: 'x', text: '', score: 0.3 }, wordLine('x'), false)).toBe(0.3);
  });
});

describe('totals', () => {
  it.each([
    [0, 0, false],
    [MOST_COUNTED, MOST_COUNTED, false],
    [MOST_COUNTED + 1, MOST_COUNTED, true],
  ])('of %s counted are %d, capped: %s', (counted, total, capped) => {
    expect(groupResult({ hits: [], total: counted })).toEqual({ hits: [], total, capped });
  });
});
