import bidiFactory from 'bidi-js';
import type { Content } from 'pdfmake/interfaces';
import { isRecord } from '../../../platform/text/json';
import type { Printable } from './pdf-fonts';

/** A piece of text in one font, where it stands on its line from left to right. */
interface Run {
  text: string;
  font: string;
}

const bidi = bidiFactory();
const FIRST = 'Roboto';
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Fonts whose letters the layout itself puts from right to left, and joins. */
const TURNED = new Set(['Hebrew', 'Arabic']);
/** Width of a letter in its size, rather too much than too little: a line that we end must not be broken again. */
const WIDE = 0.64;
const FULL = 1.02;

/** The same content with each text divided by font and, where it runs from right to left, put in order line by line. */
export function inFonts(content: Content, fonts: Printable, width: number, size: number): Content {
  return walk(content, width, size) as Content;

  function walk(node: unknown, room: number, inherited: number): unknown {
    if (Array.isArray(node)) return node.map((each) => walk(each, room, inherited));
    if (!isRecord(node)) return node;
    const own = node;
    const fontSize = numberOr(own.fontSize, inherited);
    if (typeof own.text === 'string') return { ...own, ...textOf(own, own.text, room, fontSize) };
    if (Array.isArray(own.stack)) return { ...own, stack: walk(own.stack, room, fontSize) };
    if (Array.isArray(own.columns)) {
      const columns: unknown[] = own.columns;
      const widthOf = (column: unknown): number =>
        numberOr(isRecord(column) ? column.width : undefined, room / columns.length);
      return { ...own, columns: columns.map((column) => walk(column, widthOf(column), fontSize)) };
    }
    if (isRecord(own.table)) {
      const [widths, body] = [listOf(own.table.widths), listOf(own.table.body)];
      const rowOf = (row: unknown): unknown[] =>
        listOf(row).map((cell, index) => walk(cell, numberOr(widths[index], room), fontSize));
      return { ...own, table: { ...own.table, body: body.map(rowOf) } };
    }
    return own;
  }

  function textOf(node: Record<string, unknown>, text: string, room: number, fontSize: number): object {
    if (RIGHT_TO_LEFT.test(text)) {
      const lines = text.split('\n').flatMap((paragraph) => linesOf(paragraph, room / fontSize, fonts));
      const runs = lines.flatMap((line, index) => (index === 0 ? line : [{ text: '\n', font: FIRST }, ...line]));
      const isTurned = (bidi.getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) === 1;
      return { text: runs, ...(isTurned && node.alignment === undefined ? { alignment: 'right' } : {}) };
    }
    const runs = runsOf(Array.from(text), fonts);
    return runs.every(({ font }) => font === FIRST) ? {} : { text: runs };
  }
}

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function runsOf(characters: readonly string[], fonts: Printable): Run[] {
  const runs: Run[] = [];
  for (const character of characters) {
    const font = fonts.get(character.codePointAt(0) ?? 0) ?? FIRST;
    const last = runs.at(-1);
    if (last?.font === font) last.text += character;
    else runs.push({ text: character, font });
  }
  return runs;
}

/** A paragraph in lines of at most `ems` times the size of the font, each in the order of its place on the paper. */
function linesOf(paragraph: string, ems: number, fonts: Printable): Run[][] {
  const direction = bidi.getEmbeddingLevels(paragraph).paragraphs[0]?.level === 1 ? 'rtl' : 'ltr';
  const lines: string[] = [];
  let line = '';
  let taken = 0;
  for (const word of paragraph.replaceAll('\u200B', '').match(/ *[^ ]{1,24}| +/gu) ?? []) {
    const width = Array.from(word).reduce((sum, each) => sum + (/[\u2E80-\uFFEF]/u.test(each) ? FULL : WIDE), 0);
    if (line !== '' && taken + width > ems) {
      lines.push(line);
      [line, taken] = [word.trimStart(), width];
    } else {
      [line, taken] = [line + word, taken + width];
    }
  }
  return [...lines, line].map((each) => visual(each, direction, fonts));
}

/** A line from left to right; letters of one word of a script that is turned later stay as they are read. */
function visual(line: string, direction: 'ltr' | 'rtl', fonts: Printable): Run[] {
  const embedding = bidi.getEmbeddingLevels(line, direction);
  const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels);
  const order = bidi.getReorderedIndices(line, embedding);
  return runsOf(
    order.map((index) => mirrored.get(index) ?? line.charAt(index)),
    fonts,
  ).map(({ text, font }) => ({ font, text: TURNED.has(font) ? Array.from(text).reverse().join('') : text }));
}
