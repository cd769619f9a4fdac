import { inlineText } from './markdown-inline';

/** What is left of Markdown for readers of plain text. */
export interface PlainText {
  /** The headings, one per line. */
  headings: string;
  /** Everything, headings included, one block per line. */
  text: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const DEFINITION = /^ {0,3}\[[^\]\n]{1,200}\]:/;
const MARKER = /^[ \t]*(?:>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)/;
const TABLE_RULE = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:|-]*)?$/;

/** Levels of quotes and lists that are taken away in front of a line. */
const MAX_MARKERS = 20;

/**
 * The text of a Markdown document, without rendering it: marks, addresses of links, tags and comments go, code stays.
 * It never fails, and its time is linear in the length of the document.
 */
export function plainText(markdown: string): PlainText {
  const headings: string[] = [];
  const lines: string[] = [];
  let fence: string | null = null;
  let paragraph = -1;
  for (const line of withoutComments(markdown).split(/\r\n|\r|\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
      else lines.push(line.trim());
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      paragraph = -1;
      continue;
    }
    if (paragraph !== -1 && UNDERLINE.test(line)) {
      headings.push(lines[paragraph] ?? '');
      paragraph = -1;
      continue;
    }
    paragraph = -1;
    if (RULE.test(line) || DEFINITION.test(line) || TABLE_RULE.test(line.trim())) continue;
    if (HEADING.test(line)) {
      const heading = inlineText(withoutClosing(line.trim().replace(/^#+/, '')));
      if (heading !== '') headings.push(heading);
      lines.push(heading);
      continue;
    }
    const text = inlineText(withoutMarkers(line));
    if (text !== '') paragraph = lines.push(text) - 1;
  }
  const filled = lines.filter((line) => line !== '');
  return { headings: headings.join('\n'), text: filled.join('\n') };
}

function withoutMarkers(line: string): string {
  let rest = line;
  for (let level = 0; level < MAX_MARKERS; level++) {
    const marker = MARKER.exec(rest);
    if (!marker) break;
    rest = rest.slice(marker[0].length);
  }
  return rest;
}

/** `## Title ##` ends in marks that are none of its text. */
function withoutClosing(heading: string): string {
  const text = heading.trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return end < text.length && (end === 0 || /\s/.test(text[end - 1] ?? '')) ? text.slice(0, end).trim() : text;
}

function withoutComments(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf('<!--', from);
    const end = start === -1 ? -1 : text.indexOf('-->', start + 4);
    if (end === -1) break;
    parts.push(text.slice(from, start));
    from = end + 3;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

const MAX_EXCERPT = 300;

/** The beginning of a plain text in at most 300 characters, cut between words where there is a place to. */
export function excerptOf(text: string): string {
  const characters = Array.from(
    text
      .slice(0, MAX_EXCERPT * 4)
      .replace(/\s+/gu, ' ')
      .trim(),
  );
  if (characters.length <= MAX_EXCERPT) return characters.join('');
  const cut = characters.slice(0, MAX_EXCERPT - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > cut.length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
