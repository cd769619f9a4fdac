import { dirname, join } from 'node:path';
import pdfmake from 'pdfmake';
import { normalise } from '../../../platform/text/normalise';

/** Stands for a character that the fonts lack. */
export const MARK = '\uFFFD';

/** The part of fontkit that tells which characters a font has. */
interface FontDocument {
  provideFont(name: string, bold: boolean, italics: boolean): { font: { characterSet: number[] } };
}

const folder = join(dirname(require.resolve('pdfmake/package.json')), 'fonts', 'Roboto');
const file = (name: string): string => join(folder, `Roboto-${name}.ttf`);

// Documents are made of our own texts: nothing in them may name a file or an address.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => path.startsWith(folder));
pdfmake.setFonts({
  Roboto: {
    normal: file('Regular'),
    bold: file('Medium'),
    italics: file('Italic'),
    bolditalics: file('MediumItalic'),
  },
});

/** Words without an end are given places to break: pdfmake would try each length of them, which takes minutes. */
const ENDLESS = /[^\s\u200B]{30}(?=[^\s\u200B]{30})/gu;
const BREAK = '\u200B';

let known: Promise<ReadonlySet<number>> | undefined;

/** Code points that both weights of the font have: Latin, Greek, Cyrillic, punctuation, currencies. */
export function printable(): Promise<ReadonlySet<number>> {
  return (known ??= pdfmake
    .createPdf({ content: '' })
    .getStream()
    .then((stream) => {
      const document = stream as unknown as FontDocument;
      const [regular, bold] = [false, true].map(
        (weight) => document.provideFont('Roboto', weight, false).font.characterSet,
      );
      const inBold = new Set(bold);
      return new Set(regular?.filter((point) => inBold.has(point)));
    }));
}

/** The characters of a text that can be printed; others become the mark, and control characters nothing. */
export function printed(text: string, known: ReadonlySet<number>): string {
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
