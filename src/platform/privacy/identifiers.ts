import { characters } from '../search/words';

/** What a person is known by. Kept sealed while somebody is erased, and not at all afterwards. */
export interface Identifiers {
  /** Lower-case. */
  emails: readonly string[];
  /** Looked for everywhere: nobody else is called so. */
  names: readonly string[];
  phones: readonly string[];
  /** Names that others may have, too: looked for in what belongs to the person. */
  calledThere: readonly string[];
}

/** Digits of a number that tell one line from others. */
const MIN_DIGITS = 7;
/** Letters of a part of a name that is looked for alone. */
const MIN_PART = 3;

/** Addresses and numbers that are looked for, and letters of names: all, and those that are written in many ways. More is compiled by nobody. */
const MAX_ADDRESSES = 10;
const MAX_NUMBERS = 20;
const MAX_LETTERS = 2_000;
const MAX_SPECIAL = 120;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Country codes of one digit and of two; all others have three. */
const SHORT_CODES = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

const NOT_BEFORE = String.raw`(?:(?<![\p{L}\p{N}])|(?<=[%=][\dA-Fa-f]{2})|(?<=\\[nrt]))`;
const NOT_AFTER = String.raw`(?![\p{L}\p{N}])`;

/** Between the words of a name, in plain text, in addresses of pages, in HTML and in JSON. */
const SPACE = String.raw`(?:\s|[%=]20|[+_-]|&nbsp;|&#160;|\\[nrt])+`;
/** Between the digits of a number. */
const GAP = String.raw`(?:[\s./()-]|%20|&nbsp;){0,3}`;
const PLUS = String.raw`(?:\+|%2[bB]|&#43;|00)`;

/** Between the letters of an address in quoted-printable, and of base64: the end of a line. */
const SOFT_BREAK = String.raw`(?:=(?:\s|\\[nrt]){1,4})?`;
const BREAK = String.raw`(?:\s|\\[nrt])*`;

/** The expressions by which a person is found; each works in JavaScript, without its first and last part in PostgreSQL, too. */
export interface Patterns {
  emails: readonly string[];
  /** The addresses inside of base64, as they are written. */
  encoded: readonly string[];
  names: readonly string[];
  phones: readonly string[];
  /** In what belongs to the person alone, in any case. */
  namesThere: readonly string[];
  /** The same; only as they are written, because a part of a name may be a word. */
  parts: readonly string[];
  /** The same in any case. */
  partsInAnyCase: readonly string[];
}

/** Pure. Of whoever is known by very much it looks for what comes first. */
export function patternsOf(known: Identifiers): Patterns {
  const emails = known.emails.slice(0, MAX_ADDRESSES);
  const phones = known.phones.slice(0, MAX_NUMBERS);
  // Less than a whole name may be words of anybody.
  const names = withinReach(known.names).filter((name) => known.names.includes(name));
  const calledThere = withinReach(known.calledThere);
  const all = [...new Set([...names, ...calledThere])];
  const parts = all.flatMap(wordsOf).filter((part) => UNSPACED.test(part) || characters(part).length >= MIN_PART);
  return {
    emails: emails.map((email) => spelled(email).join(SOFT_BREAK)),
    encoded: emails.flatMap(base64Patterns),
    names: names.flatMap(namePatterns),
    phones: phones.flatMap(phonePatterns),
    namesThere: calledThere.flatMap(namePatterns),
    parts: [...new Set(parts.flatMap((part) => [part, part.toUpperCase()]))].map((part) => literal(part, asWritten)),
    partsInAnyCase: [...new Set(parts.map((part) => part.toLowerCase()))].map((part) => literal(part)),
  };
}

/** The names, and the words of them, that are not too much to look for. */
function withinReach(names: readonly string[]): string[] {
  let [letters, special] = [MAX_LETTERS, MAX_SPECIAL];
  const fits = (word: string): boolean => {
    const odd = characters(word).filter((letter) => !/[a-zA-Z0-9]/.test(letter)).length;
    if (word.length > letters || odd > special) return false;
    letters -= word.length;
    special -= odd;
    return true;
  };
  const kept = names.map((name) => {
    const words = wordsOf(name);
    const end = words.findIndex((word) => !fits(word));
    return end === -1 ? name : words.slice(0, end).join(' ');
  });
  return kept.filter((name) => name !== '');
}

/** An address is another one with a letter more on either side. */
export const addressEdges = (body: string): string =>
  String.raw`(?:(?<![\p{L}\p{N}._+-])|(?<=[%=][\dA-Fa-f]{2})|(?<=\\[nrt]))${body}(?![\p{L}\p{N}]|[.-][\p{L}\p{N}])`;

export const wordEdges = (body: string): string =>
  UNSPACED.test(body) ? `(?:${body})` : `${NOT_BEFORE}(?:${body})${NOT_AFTER}`;

export const numberEdges = (body: string): string => String.raw`(?<!\d)${body}(?!\d)`;

/** Whether a name can mean but one person where nobody else has it: two words at least, or three characters where there are no spaces. */
export function isTelling(name: string): boolean {
  const letters = characters(name.trim());
  return UNSPACED.test(name) ? letters.length >= 3 : wordsOf(name).length >= 2;
}

/** The words of names and addresses that vocabularies may have learned, folded by the caller. */
export function singleWords({ emails, names, calledThere }: Identifiers): string[] {
  return [...names, ...calledThere, ...emails.map((email) => email.split('@')[0] ?? '')];
}

const wordsOf = (name: string): string[] => name.split(/[\s,]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));

/** `Paul Weber`, and `Weber, Paul`. */
function namePatterns(name: string): string[] {
  const words = wordsOf(name).map((word) => literal(word));
  const last = words.at(-1);
  if (last === undefined) return [];
  const first = words.slice(0, -1);
  if (first.length === 0) return [last];
  return [words.join(SPACE), `${last},?${SPACE}${first.join(SPACE)}`];
}

/** The number with and without its country code, whatever stands between its digits. */
function phonePatterns(phone: string): string[] {
  const bare = phone.replaceAll(/[^\d+]/g, '');
  const international = /^(?:\+|00)(\d+)$/.exec(bare)?.[1];
  const code = international === undefined ? '' : (SHORT_CODES.exec(international)?.[0] ?? international.slice(0, 3));
  const national = (international === undefined ? bare : international.slice(code.length)).replace(/^0+/, '');
  const digits = national.replaceAll(/\D/g, '');
  if (digits.length < MIN_DIGITS) return digits.length + code.length < MIN_DIGITS ? [] : [spread(`${code}${digits}`)];
  // A code that is known stands for itself, as in links and numbers.
  const before = code === '' ? String.raw`${PLUS}${GAP}\d{1,3}` : `(?:${PLUS}${GAP})?${spread(code)}`;
  const prefix = `(?:${before}${GAP})?`;
  return [`${prefix}(?:\\(?0\\)?${GAP})?${spread(digits)}`];
}

const spread = (digits: string): string => characters(digits).join(GAP);

/** Wherever the address begins in what was encoded: all but the characters that have bits of what stands around it. */
function base64Patterns(email: string): string[] {
  return [0, 1, 2].map((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(email)]);
    const run = bytes.toString('base64').slice(Math.ceil((shift * 4) / 3), Math.floor((bytes.length * 4) / 3));
    return characters(run)
      .map((one) => (one === '+' ? '[+-]' : one === '/' ? '[/_]' : one))
      .join(BREAK);
  });
}

/** A text as it may stand in plain text, in HTML, in the address of a page, in mail and in JSON. */
const literal = (text: string, letter = inAnyCase): string => spelled(text, letter).join('');

/** Backslashes in a row are one: each is one or two of them in JSON, and together they would be so in very many ways. */
const spelled = (text: string, letter = inAnyCase): string[] =>
  characters(text.normalize('NFC').replaceAll(/\\+/g, '\\')).map((one) =>
    /^[a-zA-Z0-9]$/.test(one) ? letter(one) : one === '\\' ? `${character(one)}+` : character(one),
  );

/** A letter or digit of ASCII. What passes over case as a whole costs a look at the tables of Unicode for each character of it. */
const asWritten = (letter: string): string => letter;
const inAnyCase = (letter: string): string =>
  /\d/.test(letter) ? letter : `[${letter.toLowerCase()}${letter.toUpperCase()}]`;

const APOSTROPHES = ["'", '’', '‘', '`'];
const HYPHENS = ['-', '‐', '‑', '–'];

function character(letter: string): string {
  const same = APOSTROPHES.includes(letter) ? APOSTROPHES : HYPHENS.includes(letter) ? HYPHENS : [letter];
  const forms = same.flatMap((one) => [one, one.toLowerCase(), one.toUpperCase(), one.normalize('NFD')]);
  const decomposed = forms
    .flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()])
    .map((form) => form.normalize('NFD'));
  const ways = [...plain(new Set([...forms, ...decomposed])), ...forms.flatMap(encoded)];
  return `(?:${[...new Set(ways)].join('|')})`;
}

/**
 * The forms as they are. Those that differ by case alone are one, with the letters of both: were each found in place of the other, a text that
 * is nearly a name would be tried in as many ways as there are of choosing among them.
 */
function plain(forms: ReadonlySet<string>): string[] {
  const spellings: string[][] = [];
  for (const form of forms) {
    const known = spellings.find(([first = '']) => isSameByCase(first, form));
    if (known) known.push(form);
    else spellings.push([form]);
  }
  return spellings.map((alike) => (alike.length === 1 ? alike.map(escaped).join('') : anyOf(alike)));
}

function isSameByCase(one: string, other: string): boolean {
  if (characters(one).length !== characters(other).length) return false;
  return one.toLowerCase() === other.toLowerCase() || one.toUpperCase() === other.toUpperCase();
}

/** Letters that have a case mean nothing else in expressions. */
function anyOf(alike: readonly string[]): string {
  const places = characters(alike[0] ?? '').map((_, at) => new Set(alike.map((form) => characters(form)[at] ?? '')));
  return places.map((letters) => (letters.size === 1 ? [...letters].join('') : `[${[...letters].join('')}]`)).join('');
}

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  "'": '&apos;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
};

function encoded(form: string): string[] {
  const points = characters(form).map((one) => one.codePointAt(0) ?? 0);
  const units = Array.from({ length: form.length }, (_, index) => form.charCodeAt(index).toString(16).padStart(4, '0'));
  const named = NAMED[form];
  const bytes = [...Buffer.from(form)].map(hexadecimal);
  return [
    bytes.map((byte) => `[%=]${byte}`).join(''),
    points.map((point) => `&#0*${point};`).join(''),
    points.map((point) => `&#[xX]0*${inBothCases(point.toString(16))};`).join(''),
    units.map((unit) => `\\\\u${inBothCases(unit)}`).join(''),
    ...(named === undefined ? [] : [named]),
    ...(form === '"' ? [`\\\\${escaped(form)}`] : []),
  ];
}

/** Two digits, in either case. */
const hexadecimal = (byte: number): string => inBothCases(byte.toString(16).padStart(2, '0'));

const inBothCases = (digits: string): string =>
  digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** Of what has a meaning in expressions, in JavaScript as in PostgreSQL. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
