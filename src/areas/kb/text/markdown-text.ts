import markdownIt, { type Token } from 'markdown-it';

/** What is left of Markdown for readers of plain text. */
export interface PlainText {
  /** The headings, one per line. */
  headings: string;
  /** Everything, headings included, one line of a block per line. */
  text: string;
}

/** Tags and comments are read inside lines alone, so that what stands between them is Markdown all the same. */
const markdown = markdownIt({ html: true }).disable(['html_block', 'code']);

const TASK = /^\[[ xX]\]\s+/;
const COMMENT = '<!--';

/**
 * The text of a Markdown document, without rendering it: marks, addresses of links, tags and comments go, code stays.
 * It never fails; a document of the longest body, whatever it is made of, takes about a second.
 */
export function plainText(text: string): PlainText {
  const headings: string[] = [];
  const blocks: string[] = [];
  /** Where texts go: cells of a row become one line. */
  let cells: string[] | null = null;
  let isHeading = false;
  for (const token of markdown.parse(withoutComments(text), {})) {
    if (token.type === 'tr_open') cells = [];
    else if (token.type === 'tr_close' && cells) {
      blocks.push(cells.join(' '));
      cells = null;
    } else if (token.type === 'heading_open') isHeading = true;
    else if (token.type === 'heading_close') isHeading = false;
    else if (token.type === 'fence') blocks.push(token.content);
    else if (token.type === 'inline') {
      const shown = inlineText(token.children ?? []).replace(TASK, '');
      if (isHeading) headings.push(shown.replaceAll('\n', ' '));
      (cells ?? blocks).push(shown);
    }
  }
  const lines = blocks
    .join('\n')
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
  return { headings: headings.map(oneLine).join('\n'), text: lines.join('\n') };
}

/** What the tokens of one block show; line ends stay. */
function inlineText(tokens: readonly Token[]): string {
  return tokens.map(shownBy).join('');
}

function shownBy({ type, content, children }: Token): string {
  switch (type) {
    case 'text':
    case 'code_inline':
      return content;
    case 'image':
      return inlineText(children ?? []);
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    default:
      return type === 'html_inline' ? ' ' : '';
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Comments go wherever they stand, code included; one without an end is text. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(COMMENT, from);
    const end = start === -1 ? -1 : text.indexOf('-->', start + COMMENT.length);
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
