import { paletteOf } from '../../brand/colour';
import { type Brand, shownSize, shownWebsite } from '../../brand/brand';
import { escapeHtml, type Html, type Template, template } from '../../http/template';
import { mailHtml, mailSnippet, mailText } from '../markdown';
import {
  ANSWER_LINE,
  type Letter,
  type LetterBodies,
  type LetterLink,
  LOGO_BOX,
  LOGO_CID,
  type QuotedMessage,
} from './letter';
import { directionOf, languageOfTag } from '../../text/language';
import { type LetterWords, letterWords } from './letter-words';

/** Mail programs cut what is longer (Gmail at 102 KB); Markdown that swells beyond it is shown as it was written. */
const MAX_CONTENT = 180_000;
const MAX_QUOTED = 24_000;
const MAX_PREHEADER = 110;

/** A letter with what the workspace adds to it. */
export interface Composition {
  letter: Letter;
  /** The picture itself goes along as a file: `LOGO_CID`. */
  brand: Brand;
  /** Markdown. */
  signature: string | null;
}

interface View {
  subject: string;
  language: string;
  direction: 'ltr' | 'rtl';
  /** Where lines begin: mail programs know no other word for it. */
  start: 'left' | 'right';
  words: LetterWords;
  palette: ReturnType<typeof paletteOf>;
  preheader: string;
  answerLine: string | null;
  name: string;
  logo: { cid: string; width: number; height: number } | null;
  heading: string | null;
  content: Html;
  facts: NonNullable<Letter['facts']>;
  button: LetterLink | null;
  choices: readonly LetterLink[];
  files: readonly LetterLink[];
  signatures: readonly Html[];
  quoted: readonly { head: string; content: Html }[];
  address: readonly string[];
  website: LetterLink | null;
  reference: string | null;
}

const page: Template<View> = template(__dirname, 'mail-layout');

/** Both bodies of a mail. Pure; for a text of 64 KB it takes a second at worst, so it runs in a thread where texts are long. */
export function compose({ letter, brand, signature }: Composition): LetterBodies {
  const { link } = paletteOf(brand.color);
  const language = letter.language ?? brand.locale;
  const { words, locale } = letterWords(language);
  const quoted = (letter.quoted ?? []).map((message) => ({
    ...message,
    head: headOf(message, words, locale, brand),
  }));
  const signatures = [letter.signature, letter.signed === true ? signature : null].filter(isSaid);
  const answerLine = letter.answerable === true ? `${ANSWER_LINE.begin} ${words.answerAbove} ${ANSWER_LINE.end}` : null;
  const view: View = {
    subject: letter.subject,
    language: languageOfTag(language),
    direction: directionOf(language),
    start: directionOf(language) === 'rtl' ? 'right' : 'left',
    words,
    palette: paletteOf(brand.color),
    preheader: letter.preheader ?? mailSnippet(letter.text, MAX_PREHEADER),
    answerLine,
    name: brand.name,
    logo: logoOf(brand),
    heading: letter.heading ?? null,
    content: contentOf(letter.text, letter.format ?? 'plain', link, MAX_CONTENT),
    facts: letter.facts ?? [],
    button: letter.button ?? null,
    choices: letter.choices ?? [],
    files: letter.files ?? [],
    signatures: signatures.map((text) => contentOf(text, 'markdown', link, MAX_QUOTED)),
    quoted: quoted.map(({ head, text }) => ({ head, content: contentOf(text, 'markdown', link, MAX_QUOTED) })),
    address: brand.address?.split('\n') ?? [],
    website: brand.website === null ? null : { label: shownWebsite(brand.website) ?? '', url: brand.website },
    reference: letter.reference ?? null,
  };
  return { html: page(view), text: textOf(letter, view, signatures, quoted) };
}

/** Whether it takes long enough to be done beside the thread that answers requests. */
export function isLong({ text, quoted = [] }: Letter): boolean {
  return text.length + quoted.reduce((sum, message) => sum + message.text.length, 0) > 10_000;
}

/** Markdown that swells is shown as it was written: the longest escape has six characters. */
function contentOf(text: string, format: 'markdown' | 'plain', link: string, max: number): Html {
  const html = mailHtml(text, { format, link });
  // What markdown-it writes without `html` is escaped.
  if (html !== null && html.length <= max) return html as Html;
  return `<div style="white-space:pre-wrap">${escapeHtml(text.slice(0, max / 6).toWellFormed())}</div>` as Html;
}

function textOf(
  { text, format = 'plain' }: Letter,
  { answerLine, heading, facts, button, choices, files, reference, words }: View,
  signatures: readonly string[],
  quoted: readonly (QuotedMessage & { head: string })[],
): string {
  const link = ({ label, url }: LetterLink): string => `${label}: ${url}`;
  const blocks = [
    answerLine,
    heading,
    mailText(text, format),
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    button && link(button),
    choices.map(link).join('\n'),
    files.map(({ label, url }) => `${label}:\n${url}`).join('\n\n'),
    reference && `[${reference}]`,
    signatures.length > 0 && `-- \n${signatures.map((part) => mailText(part, 'markdown')).join('\n\n')}`,
    quoted.length > 0 && words.earlier,
    ...quoted.map((message) => `${message.head}\n${quotation(mailText(message.text, 'markdown'))}`),
  ];
  return `${blocks.filter(isSaid).join('\n\n')}\n`;
}

function quotation(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function headOf({ author, at }: QuotedMessage, { wrote }: LetterWords, locale: string, { timezone }: Brand): string {
  const when = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: timezone });
  return wrote.replace('{author}', () => author).replace('{at}', () => when.format(new Date(at)));
}

function logoOf({ logo }: Brand): View['logo'] {
  if (logo === null) return null;
  const [width, height] = shownSize(logo, LOGO_BOX);
  return { cid: LOGO_CID, width, height };
}

function isSaid(text: string | false | null | undefined): text is string {
  return typeof text === 'string' && text.trim() !== '';
}
