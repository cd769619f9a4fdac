import fc from 'fast-check';
import { foldText } from '../../src/areas/kb/text/fold-text';
import { canonicalLanguage } from '../../src/platform/text/language';
import { excerptOf, plainText } from '../../src/areas/kb/text/markdown-text';
import { indexedWords, searchTerm, searchWords, speltWords } from '../../src/areas/kb/text/search-words';
import { textConfiguration } from '../../src/areas/kb/text/text-configuration';

const texts = fc.string({ unit: 'grapheme', maxLength: 200 });

describe('the text of Markdown', () => {
  it('is what readers read', () => {
    const { headings, text } = plainText(
      [
        '# First *heading* ##',
        '',
        'Some **bold**, _italic_, ~~gone~~ and `code` with snake_case and 2 * 3.',
        'A [link](https://secret.example/path) and ![a picture](x.png "t"), a [reference][ref].',
        '',
        'Second heading',
        '---',
        '> quoted text',
        '- [x] done',
        '1. first',
        '',
        '| Name | Value |',
        '|------|:-----:|',
        '| one  | two   |',
        '',
        '```js',
        '# no heading',
        'const a = "<b>";',
        '```',
        '<!-- hidden --><div class="x">shown</div> &amp; &#233; &lt;ok&gt; \\*stars\\*',
        '',
        '[ref]: https://elsewhere.example',
        '***',
        '<https://shown.example>',
      ].join('\n'),
    );
    expect(headings.split('\n')).toEqual(['First heading', 'Second heading']);
    expect(text.split('\n')).toEqual([
      'First heading',
      'Some bold, italic, gone and code with snake_case and 2 * 3.',
      'A link and a picture, a reference.',
      'Second heading',
      'quoted text',
      'done',
      'first',
      'Name Value',
      'one two',
      '# no heading',
      'const a = "<b>";',
      'shown & é <ok> *stars*',
      'https://shown.example',
    ]);
  });

  it('never fails, and is no longer than the Markdown', () => {
    const marks = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '!',
      '<',
      '>',
      '`',
      '*',
      '_',
      '#',
      '\n',
      '&#x41;',
      '<!--',
      '-->',
      '\\',
      'a',
      ' ',
      '|',
      '-',
      '~~~',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(marks, texts), { maxLength: 60 }), (parts) => {
        const markdown = parts.join('');
        const { text } = plainText(markdown);
        expect(text.length).toBeLessThanOrEqual(markdown.length + 1);
        expect(text).not.toMatch(/\n\n/);
      }),
      { numRuns: 300 },
    );
  });

  it('ends in time, whatever it is made of', () => {
    const hostile = [
      '[',
      '](',
      '![](',
      '<',
      '<a ',
      '`',
      '**',
      '_a',
      '> ',
      '- ',
      '#',
      '&#',
      '\\',
      '~~~\n',
      '<!--',
      '|',
      '=\n',
      ' ',
      '\t',
      '[a]:',
      '* ',
      '[(',
      'a<!--',
      '*a_ ',
      '``a`',
      'a | b\n',
      '* a\n',
      '[a][b]',
      '> * ',
      'a\n',
    ];
    // Where marks within marks made it read on to the end each time, this would not end in time; the gate `cpu-dos` measures longer texts.
    for (const part of hostile) {
      const markdown = part.repeat(Math.floor(16_384 / part.length));
      const { text } = plainText(`${markdown}\n\nshown`);
      expect(text.length).toBeLessThanOrEqual(markdown.length + 6);
      expect(text).toMatch(/shown$/);
    }
  });

  it('ends as an excerpt of at most 300 characters, between words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 900 }), (text) => {
        const excerpt = excerptOf(text);
        expect(Array.from(excerpt).length).toBeLessThanOrEqual(300);
        expect(excerpt.isWellFormed()).toBe(true);
      }),
    );
    expect(excerptOf('short')).toBe('short');
    expect(excerptOf('word '.repeat(100))).toBe(`${'word '.repeat(58)}word…`);
    expect(excerptOf('界'.repeat(400))).toBe(`${'界'.repeat(299)}…`);
  });
});

describe('the words of a search', () => {
  it.each([
    ['Straße Œuvre Smørrebrød Łódź', 'strasse oeuvre smorrebrod lodz'],
    ['ÀÉÎÕÜ ñ ç', 'aeiou n c'],
    ['Ελληνικά Ёлка Йод', 'ελληνικα елка йод'],
    ['ＦＵＬＬ　ｗｉｄｔｈ ﬁ', 'full width fi'],
    ['がギグ 한국어', 'がギグ 한국어'],
  ])('%s is compared as %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('are folded once and for all', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['reset your pass-word v2.1', ['reset', 'your', 'pass', 'word', 'v2', '1']],
    ['東京都の設定', ['東京', '京都', '都の', 'の設', '設定']],
    ['パスワード', ['パス', 'スワ', 'ワー', 'ード']],
    ['猫', ['猫']],
    ['iphoneの修理abc', ['iphone', 'の修', '修理', 'abc']],
    ['!?', []],
  ])('of %s are %j', (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });

  it('lose nothing: a run of two characters of a dense script is found in every text that has it', () => {
    const dense = fc.string({
      unit: fc.constantFrom(...Array.from('日本語東京都設定パスワード密码한국')),
      minLength: 2,
      maxLength: 12,
    });
    fc.assert(
      fc.property(dense, dense, dense, (before, run, after) => {
        const inText = ` ${searchWords(foldText(before + run + after)).join(' ')} `;
        expect(inText).toContain(` ${searchWords(foldText(run)).join(' ')} `);
      }),
    );
  });

  it('are cut to what an index holds', () => {
    expect(Buffer.byteLength(indexedWords('密'.repeat(100_000), 10_000))).toBeLessThanOrEqual(10_000);
    expect(speltWords('beta alpha be 日本 x1y2 alpha gamma', 2)).toEqual(['alpha', 'beta']);
  });

  it.each([
    ['Printers', { text: 'printers', words: 'printers' }],
    ["l'imprimante", { text: "l'imprimante", words: 'l imprimante' }],
    ['two words', { text: 'two words', words: 'two words' }],
    ['C++', { text: 'c++', words: '' }],
    ['100%', { text: '100%', words: '' }],
    ['„Printers“…', { text: 'printers', words: 'printers' }],
    ['#(C#),', { text: 'c#', words: '' }],
    ['file_name/10.0.0.7*', { text: 'file_name/10.0.0.7', words: 'file name 10 0 0 7' }],
    ['€5', { text: '€5', words: '' }],
    ['->', null],
    ['\u00AD ', null],
  ])('%j asks for %j', (term, wanted) => {
    if (wanted === null) expect(searchTerm(term)?.words ?? '').toBe('');
    else expect(searchTerm(term)).toEqual(wanted);
  });
});

describe('a language', () => {
  it.each([
    ['EN-us', 'en-US'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['english', 'english'],
    ['e', null],
    ['en_US', null],
    ['', null],
    ['x'.repeat(40), null],
  ])('%j is written %j', (tag, canonical) => {
    expect(canonicalLanguage(tag)).toBe(canonical);
  });

  it('has the stems of its own, or none', () => {
    expect(['de-AT', 'EN', 'ja', 'nb', 'constructor'].map(textConfiguration)).toEqual([
      'pg_catalog.german',
      'pg_catalog.english',
      'pg_catalog.simple',
      'pg_catalog.norwegian',
      'pg_catalog.simple',
    ]);
  });
});
