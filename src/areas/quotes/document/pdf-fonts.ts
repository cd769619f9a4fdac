import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pdfmake from 'pdfmake';
import { plainFont } from './woff';
import { normalise } from '../../../platform/text/normalise';

/** Stands for a character that the fonts lack. */
export const MARK = '\uFFFD';

/** The part of fontkit that tells which characters a font has. */
interface FontDocument {
  provideFont(name: string, bold: boolean, italics: boolean): { font: { characterSet: number[] } };
}

/** A family of fonts and the scripts it is for; the first one is for everything it has. */
interface Family {
  name: string;
  folder: string;
  regular: string;
  bold: string;
  /** Texts that need it; the file is not read for others. */
  for: RegExp;
}

const folderOf = (pack: string, ...inside: string[]): string =>
  join(dirname(require.resolve(`${pack}/package.json`)), ...inside);

function noto(name: string, pack: string, subset: string, scripts: RegExp): Family {
  const folder = folderOf(`@fontsource/${pack}`, 'files');
  const file = (weight: number): string => join(folder, `${pack}-${subset}-${weight}-normal.woff`);
  return { name, folder, regular: file(400), bold: file(700), for: scripts };
}

const roboto = folderOf('pdfmake', 'fonts', 'Roboto');
const FAMILIES: readonly Family[] = [
  {
    name: 'Roboto',
    folder: roboto,
    regular: join(roboto, 'Roboto-Regular.ttf'),
    bold: join(roboto, 'Roboto-Medium.ttf'),
    for: /^/u,
  },
  noto('Hebrew', 'noto-sans-hebrew', 'hebrew', /\p{Script=Hebrew}/u),
  noto('Arabic', 'noto-sans-arabic', 'arabic', /\p{Script=Arabic}/u),
  noto(
    'Han',
    'noto-sans-sc',
    'chinese-simplified',
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303F\uFF00-\uFFEF]/u,
  ),
  noto('Hangul', 'noto-sans-kr', 'korean', /\p{Script=Hangul}/u),
];

// Documents are made of our own texts: nothing in them may name a file or an address.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => FAMILIES.some(({ folder }) => path.startsWith(folder)));
pdfmake.setFonts(
  Object.fromEntries(
    FAMILIES.map(({ name, regular, bold }) => [name, { normal: regular, bold, italics: regular, bolditalics: bold }]),
  ),
);

/** Which family prints a code point. */
export type Printable = ReadonlyMap<number, string>;

/** Words without an end are given places to break: pdfmake would try each length of them, which takes minutes. */
const ENDLESS = /[^\s\u200B]{30}(?=[^\s\u200B]{30})/gu;
const BREAK = '\u200B';

const known = new Map<string, Promise<readonly number[]>>();

/** Files that are packed are read once, and known to the library by their content from then on. */
function unpack(name: string): void {
  const { virtualfs } = pdfmake as unknown as { virtualfs: { writeFileSync(path: string, content: Buffer): void } };
  const { regular = '', bold = '' } = FAMILIES.find((family) => family.name === name) ?? {};
  for (const path of [regular, bold]) {
    if (path.endsWith('.woff')) virtualfs.writeFileSync(path, plainFont(readFileSync(path)));
  }
}

/** Code points that both weights of a family have. */
function pointsOf(name: string): Promise<readonly number[]> {
  let points = known.get(name);
  if (!points) {
    unpack(name);
    points = pdfmake
      .createPdf({ content: '' })
      .getStream()
      .then((stream) => {
        const document = stream as unknown as FontDocument;
        const [regular, bold] = [false, true].map(
          (weight) => document.provideFont(name, weight, false).font.characterSet,
        );
        const inBold = new Set(bold);
        return regular?.filter((point) => inBold.has(point)) ?? [];
      });
    known.set(name, points);
  }
  return points;
}

/** Who prints what of this text: Latin, Greek, Cyrillic always; other scripts are read when they occur. */
export async function printable(text: string): Promise<Printable> {
  const families = FAMILIES.filter((family) => family.for.test(text));
  const points = await Promise.all(families.map(async ({ name }) => [name, await pointsOf(name)] as const));
  return new Map(points.reverse().flatMap(([name, own]) => own.map((point) => [point, name] as const)));
}

/** The characters of a text that can be printed; others become the mark, and control characters nothing. */
export function printed(text: string, known: Printable): string {
  return normalise(text.toWellFormed(), 'NFC')
    .replaceAll(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replaceAll(/\n{4,}/g, '\n\n\n')
    .replaceAll('\t', '    ')
    .replaceAll(/[\u202F\u2007]/g, '\u00A0')
    .replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, '')
    .replaceAll(/\P{ASCII}+/gu, (run) =>
      Array.from(run, (character) => (known.has(character.codePointAt(0) ?? 0) ? character : MARK)).join(''),
    )
    .replaceAll(ENDLESS, `$&${BREAK}`);
}
