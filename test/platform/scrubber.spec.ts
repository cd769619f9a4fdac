import fc from 'fast-check';
import { ERASED, ERASED_ADDRESS } from '../../src/platform/area/personal';
import { type Identifiers, isTelling, patternsOf } from '../../src/platform/privacy/identifiers';
import { Scrubber } from '../../src/platform/privacy/scrubber';

const PAUL: Identifiers = {
  emails: ['paul.weber@acme.example'],
  names: ['Paul Weber', "Zoë O'Brien-Łuk"],
  phones: ['+49 30 901820', '0170 5550123'],
  calledThere: ['Paul Weber', 'Pauly'],
};
const paul = new Scrubber(PAUL);
const A = ERASED_ADDRESS;
const E = ERASED;

it.each([
  ['Mail paul.weber@acme.example, please.', `Mail ${A}, please.`],
  ['PAUL.WEBER@ACME.EXAMPLE', A],
  ['<paul.weber@acme.example>', `<${A}>`],
  ['?to=paul.weber%40acme.example&x=1', `?to=${A}&x=1`],
  ['%3Cpaul.weber%40acme.example%3E', `%3C${A}%3E`],
  ['paul.weber&#64;acme.example', A],
  [String.raw`{"to":"a\npaul.weber\u0040acme.example"}`, String.raw`{"to":"a\n${A}"}`],
  ['From: =3Cpaul.weber=40acme.example=3E', `From: =3C${A}=3E`],
  ['paul.we=\r\nber@acme.exa=\nmple', A],
  ['Zo=C3=AB=20O=27Brien-=c5=81uk', E],
  ['paul.weber+news@acme.example', 'paul.weber+news@acme.example'],
  ['xpaul.weber@acme.example', 'xpaul.weber@acme.example'],
  ['paul.weber@acme.example.org', 'paul.weber@acme.example.org'],
  ['paul.weber@acme.examples', 'paul.weber@acme.examples'],
  ['Paul Weber called.', `${E} called.`],
  ['PAUL\n  weber', E],
  ['Weber, Paul', E],
  ['Paul%20Weber and paul+weber and paul_weber', `${E} and ${E} and ${E}`],
  ['Paul Webers Hund', 'Paul Webers Hund'],
  ['Paula Weber', 'Paula Weber'],
  ['zoë o’brien‑łuk', E],
  ['Zoe&#235; ', 'Zoe&#235; '],
  ['Zo&#235; O&#39;Brien-Łuk', E],
  ['Zo%C3%AB%20O%27Brien-%C5%81uk', E],
  ['+49 30 901820', E],
  ['+4930901820', E],
  ['https://wa.me/4930901820', `https://wa.me/${E}`],
  ['0049-30-90 18 20', E],
  ['030/901820', E],
  ['(030) 901820', E],
  ['1030901820', '1030901820'],
  ['0309018201', '0309018201'],
  ['+49 170 5550123', E],
  ['Paul was here, and Pauly.', 'Paul was here, and Pauly.'],
])('takes a person out of %j', (text, expected) => {
  expect(paul.text(text, false)).toBe(expected);
});

it.each([
  ['Hi Paul, hello PAUL, Pauly!', `Hi ${E}, hello ${E}, ${E}!`],
  ['No paula, no will to weber', 'No paula, no will to weber'],
  ['Dear Mr Weber', `Dear Mr ${E}`],
])('knows them by less in what is theirs: %j', (text, expected) => {
  expect(paul.text(text, true)).toBe(expected);
});

it.each([
  ['weber', E],
  ['vip,weber,paul', `vip,${E}`],
  ['paul-vip,of_weber,paul weber', `${E}-vip,of_${E},${E}`],
  ['paula,weberei,webers', 'paula,weberei,webers'],
])('knows them by parts of names in tags of what is theirs, in any case: %j', (tags, expected) => {
  expect(paul.tags(tags, true)).toBe(expected);
  expect(paul.tags('will,weber', false)).toBe('will,weber');
  const kept = { note: 'weber', tags, add_tags: [tags], changes: { tags: { from: tags, to: null } } };
  const run = [
    { field: 'tags', expected: [tags], actual: tags },
    { field: 'subject', actual: 'weber' },
  ];
  expect(paul.json([kept, run], true)).toEqual([
    { note: 'weber', tags: expected, add_tags: [expected], changes: { tags: { from: expected, to: null } } },
    [
      { field: 'tags', expected: [expected], actual: expected },
      { field: 'subject', actual: 'weber' },
    ],
  ]);
});

it.each(['', 'F', 'Fr', 'To: <'])('finds an address inside of base64, after %j', (before) => {
  const lines = (text: string): string => Buffer.from(text).toString('base64').replaceAll(/.{20}/g, '$&\r\n');
  const text = lines(`${before}paul.weber@acme.example and others`);
  expect(text).not.toContain('acme');
  expect(paul.mentions(text, false)).toBe(true);
  const [start = '', end = ''] = paul.text(text, false).split(E);
  expect(Buffer.from(start, 'base64').toString().trim()).toMatch(new RegExp(`^${before}.?$`, 's'));
  expect(text.endsWith(end) && end.length < 40).toBe(true);
  expect(new RegExp(paul.sql ?? '', 'iu').test(text)).toBe(true);
  expect(paul.mentions(lines(`${before}paula.weber@acme.example`), false)).toBe(false);
});

it('finds an address with a tag as it is, in any case, and not the one without', () => {
  const tagged = new Scrubber({ emails: ['p+a.x@acme.example'], names: [], phones: [], calledThere: [] });
  expect(tagged.text('P+A.x@ACME.example p%2Ba.x@acme.example p@acme.example', false)).toBe(`${A} ${A} p@acme.example`);
});

it('finds names where there are no spaces', () => {
  const wang = new Scrubber({ emails: [], names: ['王小明'], phones: [], calledThere: [] });
  expect(wang.text('你好王小明先生', false)).toBe(`你好${E}先生`);
});

describe('a text that is nearly a name', () => {
  const partOf = (name: string): string =>
    patternsOf({ emails: [], names: [], phones: [], calledThere: [name] }).parts[0] ?? '';
  const waysOf = (letter: string): string[] => {
    const three = partOf(letter.repeat(3));
    return three.slice('(?:'.length, three.length / 3 - ')'.length).split('|');
  };

  it.each(Array.from('яЯéİßẞςſΐᾳǆḘ'))('has each letter in one way, whether case matters or not: %s', (letter) => {
    for (const form of [letter, letter.toLowerCase(), letter.toUpperCase(), letter.normalize('NFD')])
      for (const flags of ['u', 'iu']) {
        const ways = waysOf(letter).filter((way) => new RegExp(`^(?:${way})$`, flags).test(form));
        expect([form, flags, ways.length]).toEqual([form, flags, 1]);
      }
  });

  it('is looked for by as much as can be compiled, whoever is called how', () => {
    const word = 'ж'.repeat(50);
    const long = `Anna ${word} ${word} ${word}`;
    const known = { emails: [], phones: [], names: [long, 'Eve Doe'], calledThere: [long] };
    const scrubber = new Scrubber(known);
    expect(scrubber.text(`${long}, Anna; Eve Doe`, false)).toBe(`${long}, Anna; ${E}`);
    expect(scrubber.text(`${long}; Eve Doe`, true)).toBe(`${E} ${E}; ${E}`);
    const many = Array.from({ length: 200 }, (_, at) => `${'Ы'.repeat(100)} ${at}`);
    const size = patternsOf({ emails: [], names: many, phones: [], calledThere: many });
    expect(Object.values(size).flat().join('').length).toBeLessThan(120_000);
  });

  it('has backslashes in a row as one, of JSON or not', () => {
    expect(partOf(String.raw`ab\\\c`)).toBe(partOf(String.raw`ab\c`));
    const name = String.raw`Jo\\e Doe`;
    const scrubber = new Scrubber({ emails: [], names: [name], phones: [], calledThere: [] });
    expect(scrubber.text(`${name}, ${JSON.stringify([name])}`, false)).toBe(`${E}, ["${E}"]`);
  });
});

it('walks through JSON, names of members too, and leaves entries of lists out', () => {
  expect(paul.json({ a: 1705550123, b: 1705550124, c: [4930901820], id: 901820 }, false)).toEqual({
    ...{ a: null, b: 1705550124, c: [null], id: 901820 },
  });
  const value = { a: ['x paul.weber@acme.example', { 'Paul Weber': 1, b: null, n: 3, t: true }] };
  expect(paul.json(value, false)).toEqual({ a: [`x ${A}`, { [E]: 1, b: null, n: 3, t: true }] });
  expect(paul.list(['paul.weber@acme.example', 'eve@acme.example', 'see Paul Weber'], false)).toEqual([
    'eve@acme.example',
    `see ${E}`,
  ]);
});

it.each([
  ['Paul', false],
  ['Paul Weber', true],
  ['王明', false],
  ['王小明', true],
  ['  ', false],
])('whether %j means one person: %s', (name, telling) => {
  expect(isTelling(name)).toBe(telling);
});

describe('of whatever names there are', () => {
  const word = fc
    .string({ unit: 'grapheme-composite', minLength: 3, maxLength: 12 })
    .filter((text) => /^[\p{L}\p{M}'-]+$/u.test(text) && /\p{L}{3}/u.test(text));
  const person = fc.record({ first: word, last: word, host: fc.constantFrom('a.example', 'mail.b.example') });

  it('nothing is left after once, in any of its forms', () => {
    fc.assert(
      fc.property(person, fc.string(), ({ first, last, host }, noise) => {
        const name = `${first} ${last}`.normalize('NFC');
        const email = `${encodeURIComponent(first).replaceAll(/[^a-z0-9]/gi, 'x')}@${host}`.toLowerCase();
        const scrubber = new Scrubber({ emails: [email], names: [name], phones: [], calledThere: [] });
        const text = `${noise} ${name} ; ${email} ; ${JSON.stringify({ a: name })} ; ${encodeURIComponent(name)} ; ${email.toUpperCase()}`;
        const once = scrubber.text(text, false);
        expect(once).not.toContain(` ${name} ;`);
        expect(once).not.toContain(encodeURIComponent(name));
        expect(once.toLowerCase()).not.toContain(`; ${email}`);
        expect(scrubber.text(once, false)).toBe(once);
        expect(scrubber.sql === null || once === text || new RegExp(scrubber.sql, 'iu').test(text)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
