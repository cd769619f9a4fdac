import { convert } from 'html-to-text';
import { withinDepth } from './html-depth';

/** HTML beyond this is not read. */
export const MAX_HTML = 1_048_576;
/** Deeper nesting and longer lists of siblings than people write are left out. */
const LIMITS = { maxDepth: 200, maxBaseElements: 4, ellipsis: '…' };

/** The text of HTML as a person reads it: paragraphs, lists, quotes and the addresses of links; no images. */
export function htmlText(html: string): string {
  return convert(withinDepth(html.slice(0, MAX_HTML)), {
    wordwrap: false,
    limits: LIMITS,
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false, linkBrackets: ['<', '>'] } },
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'ul', options: { itemPrefix: '- ' } },
      { selector: 'table', format: 'block' },
      { selector: 'td', format: 'inline' },
    ],
  });
}
