import fc from 'fast-check';
import { boundedMarks, hasTooManyMarks, MAX_MARKS, withoutExcessMarks } from '../../src/platform/text/marks';
import { firstCharacters, normalise, shortened } from '../../src/platform/text/normalise';
import { NON_STARTERS } from '../../src/platform/text/non-starters';

/** Whether the runtime puts a character into canonical order: it then has a combining class above 0. */
function isNonStarter(character: string): boolean {
  return character === '\u0345' || `\u0345${character}`.normalize('NFD') !== `\u0345${character}`;
}

function longestRun(text: string): number {
  let [longest, run] = [0, 0];
  for (const character of text.normalize('NFKD')) {
    run = isNonStarter(character) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom('a', 'ệ', 'ᾂ', '한', '\ufdfa', '𝅗𝅥', '\u1d165', '👨‍👩‍👧', '❤️', 'नमस्ते', ' '),
    fc
      .tuple(
        fc.constantFrom('\u0301', '\u0323', '\u0344', '\u0f73', '\uff9e', '\u05b0', '\u064b', '\u{1d165}', '\u{1e8d0}'),
        fc.nat(40),
      )
      .map(([mark, count]) => mark.repeat(count)),
  ),
  { maxLength: 8 },
);

describe('combining marks', () => {
  it('are those that this runtime puts into order, and no others that it knows', () => {
    const listed = new Set<number>();
    for (const range of NON_STARTERS.split(' ')) {
      const [first = '', last = first] = range.split('-');
      for (let code = parseInt(first, 16); code <= parseInt(last, 16); code++) listed.add(code);
    }
    const [missing, wrong]: [string[], string[]] = [[], []];
    for (let code = 0x80; code < 0x20000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const character = String.fromCodePoint(code);
      const combines = isNonStarter(Array.from(character.normalize('NFKD'))[0] ?? '');
      if (combines && !listed.has(code)) missing.push(code.toString(16));
      if (!combines && listed.has(code) && /\p{Assigned}/u.test(character)) wrong.push(code.toString(16));
    }
    expect({ missing, wrong }).toEqual({ missing: [], wrong: [] });
  });

  it('are too many from 31 in a row, after compatibility decomposition', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        expect(hasTooManyMarks(text)).toBe(longestRun(text) > MAX_MARKS);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are cut to what is let through, and nothing else is', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        const cut = withoutExcessMarks(text);
        expect(longestRun(cut)).toBeLessThanOrEqual(MAX_MARKS);
        expect(hasTooManyMarks(cut)).toBe(false);
        expect(cut.isWellFormed()).toBe(true);
        if (!hasTooManyMarks(text)) expect(cut).toBe(text);
        expect(Array.from(cut).filter((one) => !isNonStarter(Array.from(one.normalize('NFKD'))[0] ?? ''))).toEqual(
          Array.from(text).filter((one) => !isNonStarter(Array.from(one.normalize('NFKD'))[0] ?? '')),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['Vietnamese', 'Tôi không thể đăng nhập vào hệ thống, xin hãy giúp đỡ!'.normalize('NFD')],
    ['Hindi, drawn out', `मैं लॉगिन नहीं कर पा रहा हूँ, प्ल${'ी'.repeat(60)}ज`],
    ['Thai', 'ไม่สามารถเข้าสู่ระบบได้ กรุณาช่วยด้วยค่ะ มากกกกกก ๆๆ'],
    ['Arabic with harakat', 'بِسْمِ ٱللَّٰهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ ﷺ'],
    ['Hebrew with niqqud', 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים'],
    ['Tibetan', 'བོད་སྐད་ཀྱི་ཡི་གེ་ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ'],
    ['emoji', '👨‍👩‍👧‍👦👩🏽‍🚒❤️‍🔥🏳️‍🌈'.repeat(40)],
    ['decorated', 'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢'],
  ])('of %s are no more than they should be', (_script, text) => {
    expect(hasTooManyMarks(text)).toBe(false);
    expect(withoutExcessMarks(text)).toBe(text);
    expect(boundedMarks(text)).toBe(text);
  });
});

describe('normalising', () => {
  it('does what the runtime does with any ordinary text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(text, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (each, form) => {
        expect(normalise(each, form)).toBe(each.normalize(form));
      }),
    );
  });

  it('never sees a run that is the square of itself in work, nor makes much of little', () => {
    const marks = `a${'\u0301\u0323'.repeat(65_000)}`;
    expect(normalise(marks, 'NFKC').length).toBeLessThanOrEqual(31);
    const grown = normalise('\ufdfa'.repeat(100_000), 'NFKC');
    expect(grown.length).toBe(201_000);
    expect(normalise('\ufdfa', 'NFKC')).toBe('صلى الله عليه وسلم');
    expect(normalise(`𝐀${'\ufdfa'.repeat(500)}`, 'NFKC').length).toBe(2_002);
  });

  it('cuts between characters', () => {
    expect(firstCharacters('a😀b', 2)).toBe('a😀');
    expect(firstCharacters('a😀b', 9)).toBe('a😀b');
    expect(firstCharacters('', 0)).toBe('');
  });

  it('marks where a text was cut, which is no longer than it may be', () => {
    expect(['ab😀', 'ab😀d', 'a😀cd', 'a  cd'].map((text) => shortened(text, 3))).toEqual([
      'ab😀',
      'ab…',
      'a😀…',
      'a…',
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const kept = shortened(text, max);
        const isWhole = Array.from(text).length <= max;
        expect(kept.isWellFormed() && Array.from(kept).length <= max).toBe(true);
        expect(isWhole ? kept === text : kept.endsWith('…') && text.startsWith(kept.slice(0, -1))).toBe(true);
      }),
    );
  });
});
