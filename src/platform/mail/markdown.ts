import markdownIt from 'markdown-it';
import { htmlText } from './html-text';

/**
 * What people write into comments: emphasis, lists, quotes, code, links, tables. HTML is text like any other; images are
 * not loaded from anywhere; an indented line and a row of hyphens below a line mean nothing.
 */
const markdown = markdownIt({ html: false, linkify: true, breaks: true, maxNesting: 30 }).disable([
  'image',
  'code',
  'lheading',
]);

/** A text in Markdown as both parts of a mail: HTML in which nothing of the writer's own HTML is left, and plain text. */
export function mailParts(text: string): { html: string; text: string } {
  const html = markdown.render(text);
  return { html, text: htmlText(html) };
}
