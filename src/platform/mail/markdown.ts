import markdownIt, { type Token } from 'markdown-it';
import { htmlText } from './html-text';
import { shortened } from '../text/normalise';

/** Markdown in the end of which nothing can be done but to read it and to follow its links. */
const OPTIONS = { html: false, linkify: true, breaks: true, maxNesting: 30 } as const;

/**
 * What people write into comments: emphasis, lists, quotes, code, links, tables. HTML is text like any other; images are
 * not loaded from anywhere; an indented line and a row of hyphens below a line mean nothing.
 */
const markdown = markdownIt(OPTIONS).disable(['image', 'code', 'lheading']);
/** Paragraphs and lines as they stand, and what is an address of the web. */
const plain = markdownIt('zero', OPTIONS).enable(['newline', 'linkify']);

const LINE = '#d9dde4';
const CITED = `margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid ${LINE};color:#5b6475`;
const CODE = 'font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;background:#f2f4f7;border-radius:4px';

/** Mail programs know styles of elements alone; classes are for those that know the night. */
const STYLES: Readonly<Record<string, readonly [style: string, name?: string]>> = {
  p: ['margin:0 0 16px'],
  h1: ['margin:24px 0 12px;font-size:22px;line-height:1.3'],
  h2: ['margin:24px 0 12px;font-size:19px;line-height:1.3'],
  h3: ['margin:20px 0 8px;font-size:17px;line-height:1.3'],
  h4: ['margin:16px 0 8px;font-size:16px'],
  h5: ['margin:16px 0 8px;font-size:16px'],
  h6: ['margin:16px 0 8px;font-size:16px'],
  ul: ['margin:0 0 16px;padding:0 0 0 24px'],
  ol: ['margin:0 0 16px;padding:0 0 0 24px'],
  li: ['margin:0 0 4px'],
  blockquote: [CITED, 'muted line'],
  code: [`${CODE};padding:1px 4px`, 'code'],
  hr: [`height:1px;border:0;background:${LINE};margin:24px 0`, 'rule'],
  table: ['border-collapse:collapse;margin:0 0 16px'],
  th: [`padding:6px 10px;border:1px solid ${LINE};text-align:left;font-weight:600`, 'line'],
  td: [`padding:6px 10px;border:1px solid ${LINE};vertical-align:top`, 'line'],
};
const FENCE = `${CODE};margin:0 0 16px;padding:12px;white-space:pre-wrap;word-break:break-word`;
/** Blocks that may be in another script than those around them. */
const OF_THEIR_OWN_DIRECTION = new Set(['p', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'td', 'th']);

/**
 * A text as HTML for a mail, in which nothing of the writer's own HTML is left. Styles stand in the elements. Null when it is nested
 * deeper than is read, so that something would be left out.
 */
export function mailHtml(
  text: string,
  { format, link }: { format: 'markdown' | 'plain'; link: string },
): string | null {
  const reader = readerOf(format);
  const env = {};
  const tokens = reader.parse(text, env);
  if (isTooDeep(tokens)) return null;
  for (const token of tokens) dress(token, link);
  return reader.renderer.render(tokens, reader.options, env);
}

/** The same as plain text. */
export function mailText(text: string, format: 'markdown' | 'plain'): string {
  if (format === 'plain' || isTooDeep(markdown.parse(text, {}))) return text.trim();
  return htmlText(markdown.render(text)).trim();
}

/** A text as one line, for where there is room for its beginning. */
export function mailSnippet(text: string, max: number): string {
  const line = htmlText(markdown.render(text.slice(0, max * 4)))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return shortened(line, max);
}

/** The reader leaves out what is nested deeper. */
function isTooDeep(tokens: readonly Token[]): boolean {
  return tokens.some(({ level }) => level >= OPTIONS.maxNesting - 1);
}

function readerOf(format: 'markdown' | 'plain'): typeof markdown {
  return format === 'plain' ? plain : markdown;
}

function dress(token: Token, link: string): void {
  for (const child of token.children ?? []) dress(child, link);
  if (token.nesting < 0 || token.tag === '') return;
  if (token.tag === 'a') put(token, `color:${link}`, 'link');
  else if (token.type === 'fence') put(token, FENCE, 'code');
  else {
    const [style, name] = STYLES[token.tag] ?? [];
    if (style !== undefined) put(token, style, name);
    if (OF_THEIR_OWN_DIRECTION.has(token.tag) && !token.hidden) token.attrSet('dir', 'auto');
  }
}

/** Columns of tables bring a style of their own: which way they are aligned. */
function put(token: Token, style: string, name?: string): void {
  const own = token.attrGet('style');
  token.attrSet('style', own === null ? style : `${style};${own}`);
  if (name !== undefined) token.attrSet('class', name);
}

markdown.renderer.rules.fence = (tokens, index, _options, _env, self) => {
  const token = tokens[index];
  return token ? `<pre${self.renderAttrs(token)}>${markdown.utils.escapeHtml(token.content)}</pre>\n` : '';
};
