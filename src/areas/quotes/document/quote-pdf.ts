import pdfmake from 'pdfmake';
import type { Content, CustomTableLayout, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces';
import { MARK, printable, printed } from './pdf-fonts';
import { inFonts } from './pdf-runs';
import type { DocumentRow, QuoteDocument } from './quote-document';
import { filled } from './quote-words';

/** A4 between its margins, in points. */
const WIDTH = 515;
const GREY = '#5f6b7a';
const LINE = '#d5dae1';
const WARNING = '#b3431f';
const SMALL = 8.5;

/**
 * A quote as a PDF: A4, with real text in embedded fonts. The same document makes the same bytes. What the fonts lack is
 * marked, and said so at the end.
 */
export async function quotePdf(document: QuoteDocument): Promise<Buffer> {
  const { logo, ...texts } = document;
  const known = await printable(JSON.stringify(texts));
  const shown = printedThrough({ ...texts, words: null }, (text) => printed(text, known));
  const fit = { ...shown, words: document.words, logo };
  const body = bodyOf(fit);
  if (JSON.stringify(shown).includes(MARK)) {
    const text = filled(document.words.unprintable, { mark: MARK });
    body.push({ text, color: GREY, fontSize: SMALL, margin: [0, 16, 0, 0] });
  }
  const { header, footer, ...rest } = frame(fit);
  const put = (content: Content): Content => inFonts(content, known, WIDTH, 9.5);
  return pdfmake
    .createPdf({
      ...rest,
      header: (page) => put(header(page)),
      footer: (page, pages) => put(footer(page, pages)),
      content: body.map(put),
    })
    .getBuffer();
}

/** Left, above, right, below. */
const BELOW: [number, number, number, number] = [0, 0, 0, 8];
const ABOVE: { margin: [number, number, number, number] } = { margin: [0, 6, 0, 0] };

/** All of a document but what stands on its pages. */
interface Frame extends Omit<TDocumentDefinitions, 'content' | 'header' | 'footer'> {
  header: (page: number) => Content;
  footer: (page: number, pages: number) => Content;
}

/** The same value with every text in it as the fonts can print it. */
function printedThrough<T>(value: T, print: (text: string) => string): T {
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return print(inner);
    if (Array.isArray(inner)) return inner.map(walk);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, walk(member)]));
  };
  return walk(value) as T;
}

function frame({ words, number, seller, title, footer, changedAt, locale }: QuoteDocument): Frame {
  const small = { fontSize: SMALL, color: GREY };
  return {
    pageSize: 'A4',
    pageMargins: [40, 56, 40, 72],
    language: locale,
    defaultStyle: { font: 'Roboto', fontSize: 9.5, lineHeight: 1.2 },
    info: {
      title: `${words.quote} ${number}`,
      author: seller,
      subject: title,
      creationDate: new Date(changedAt),
      producer: 'helpdesk-api',
      creator: 'helpdesk-api',
    },
    header: (page) =>
      page === 1
        ? ''
        : {
            margin: [40, 26, 40, 0],
            columns: [
              { text: seller, ...small },
              { text: `${words.quote} ${number}`, alignment: 'right', ...small },
            ],
          },
    footer: (page, pages) => ({
      margin: [40, 12, 40, 0],
      stack: [
        { canvas: [{ type: 'line', x1: 0, y1: 0, x2: WIDTH, y2: 0, lineWidth: 0.5, lineColor: LINE }] },
        {
          margin: [0, 6, 0, 0],
          columns: [
            { width: WIDTH - 120, text: footer ?? '', ...small },
            { width: 120, text: filled(words.page, { page, pages }), alignment: 'right', ...small },
          ],
        },
      ],
    }),
  };
}

function bodyOf(document: QuoteDocument): Content[] {
  const { words, title, header, terms, notes } = document;
  return [
    {
      columns: [
        { width: WIDTH - 180, stack: sender(document) },
        { width: 180, stack: heading(document), alignment: 'right' },
      ],
    },
    {
      margin: [0, 26, 0, 22],
      columns: [
        { width: WIDTH - 220, stack: recipient(document) },
        {
          width: 220,
          table: { widths: [80, 124], body: [...document.facts, ...document.fields].map(fact) },
          layout: bare,
        },
      ],
    },
    { text: title, fontSize: 13, bold: true, margin: [0, 0, 0, 6] },
    ...(header ? [{ text: header, margin: BELOW }] : []),
    items(document),
    sums(document),
    ...document.remarks.map((text): Content => ({ text, color: GREY, fontSize: SMALL, alignment: 'right' })),
    ...section(words.notes, notes),
    ...section(words.terms, terms),
  ];
}

/** The logo or the name, and where to find who it is. */
function sender({ seller, sellerLines, logo }: QuoteDocument): Content[] {
  const name: Content = logo
    ? {
        image: `data:image/png;base64,${logo.png}`,
        fit: [Math.min(180, logo.width / 2), Math.min(56, logo.height / 2)],
      }
    : { text: seller, fontSize: 15, bold: true };
  const below = [...(logo ? [seller] : []), ...sellerLines];
  return [
    name,
    ...below.map((text, index): Content => ({ text, color: GREY, fontSize: SMALL, ...(index === 0 ? ABOVE : {}) })),
  ];
}

/** A draft says so; a watermark would mix with the text when that is selected. */
function heading({ words, isDraft, accent }: QuoteDocument): Content[] {
  const draft: Content = { text: words.draft.toUpperCase(), bold: true, color: WARNING, characterSpacing: 2 };
  return [{ text: words.quote, fontSize: 22, color: accent, lineHeight: 1 }, ...(isDraft ? [draft] : [])];
}

function recipient({ words, recipient: lines }: QuoteDocument): Content[] {
  const [first, ...rest] = lines;
  if (first === undefined) return [];
  return [
    { text: words.to, color: GREY, fontSize: SMALL, margin: [0, 0, 0, 2] },
    { text: first, bold: true },
    ...rest.map((text): Content => ({ text })),
  ];
}

function fact([label, value]: readonly [string, string]): TableCell[] {
  return [
    { text: label, color: GREY, alignment: 'right' },
    { text: value, alignment: 'right' },
  ];
}

interface ColumnOfItems {
  title: string;
  width: number;
  cell: (row: DocumentRow) => TableCell;
}

/** Widths are fixed: one endless word must not push the rest off the page. */
function items({ words, columns, rows }: QuoteDocument): Content {
  const right =
    (name: 'quantity' | 'unitPrice' | 'discount' | 'tax' | 'amount') =>
    (row: DocumentRow): TableCell => ({
      text: row[name],
      alignment: 'right',
    });
  const numbers: ColumnOfItems[] = [
    { title: words.quantity, width: 56, cell: right('quantity') },
    { title: words.unitPrice, width: 62, cell: right('unitPrice') },
    ...(columns.discount ? [{ title: words.discount, width: 44, cell: right('discount') }] : []),
    ...(columns.tax ? [{ title: words.tax, width: 36, cell: right('tax') }] : []),
    { title: words.amount, width: 72, cell: right('amount') },
  ];
  const count = numbers.length + 2;
  const taken = numbers.reduce((sum, { width }) => sum + width, 18) + count * 2 * PADDING;
  const all: ColumnOfItems[] = [
    { title: '', width: 18, cell: ({ number }) => ({ text: number, color: GREY }) },
    { title: words.item, width: WIDTH - taken, cell: itemCell },
    ...numbers,
  ];
  return {
    margin: [0, 6, 0, 0],
    table: {
      headerRows: 1,
      dontBreakRows: rows.every(({ details }) => details.join('').length < LONG),
      widths: all.map(({ width }) => width),
      body: [
        all.map(({ title }, index) => ({
          text: title,
          bold: true,
          fontSize: SMALL,
          alignment: index > 1 ? 'right' : 'left',
        })),
        ...rows.map((row) => all.map(({ cell }) => cell(row))),
      ],
    },
    layout: ruled,
  };
}

/** Characters of a description from which its row may be broken over two pages. */
const LONG = 1_000;
const PADDING = 3;

function itemCell({ name, details }: DocumentRow): TableCell {
  return {
    stack: [{ text: name, bold: true }, ...details.map((text): Content => ({ text, color: GREY, fontSize: SMALL }))],
  };
}

function sums({ sums: lines }: QuoteDocument): Content {
  const last = lines.length - 1;
  return {
    margin: [WIDTH - 300 - PADDING, 8, PADDING, 4],
    unbreakable: true,
    table: {
      widths: [176, 108],
      body: lines.map(([label, value], index) => [
        { text: label, alignment: 'right', ...(index === last ? { bold: true, fontSize: 11.5 } : { color: GREY }) },
        { text: value, alignment: 'right', ...(index === last ? { bold: true, fontSize: 11.5 } : {}) },
      ]),
    },
    layout: { ...bare, hLineWidth: (index: number) => (index === last ? 0.8 : 0), hLineColor: () => GREY },
  };
}

/** A short section stays on one page, with its title. */
function section(title: string, text: string | null): Content[] {
  if (text === null || text.trim() === '') return [];
  const stack: Content[] = [{ text: title, bold: true, margin: [0, 14, 0, 2] }, { text }];
  return text.length < LONG && text.split('\n').length < 20 ? [{ unbreakable: true, stack }] : stack;
}

const bare: CustomTableLayout = {
  paddingLeft: () => 8,
  paddingRight: () => 0,
  hLineWidth: () => 0,
  vLineWidth: () => 0,
  paddingTop: () => 2,
  paddingBottom: () => 2,
};

const ruled: CustomTableLayout = {
  hLineWidth: (index) => (index === 1 ? 0.8 : 0.4),
  hLineColor: (index) => (index === 1 ? GREY : LINE),
  vLineWidth: () => 0,
  paddingLeft: () => PADDING,
  paddingRight: () => PADDING,
  paddingTop: () => 5,
  paddingBottom: () => 5,
};
