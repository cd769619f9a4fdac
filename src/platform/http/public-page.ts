import type { ApiError } from './errors';
import { html, type Html } from './html';
import { FileResult } from './results';

/** Pages for people without a token live below this path, outside `/v1`. */
export const PAGES = '/p';

/** Whether a path is that of such a page. */
export function isPage(url: string): boolean {
  return url.startsWith(`${PAGES}/`);
}

const STYLE = `
  :root { color-scheme: light dark; --line: #8884; --accent: #1f5fbf; }
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
  h1 { font-size: 1.5rem; line-height: 1.25; }
  table { width: 100%; border-collapse: collapse; } th, td { padding: .4rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
  .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .quiet { opacity: .7; } .notice { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
  fieldset { min-width: 0; border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: 1rem; }
  label { display: block; margin: .5rem 0; } label.choice { display: inline-block; margin-right: 1rem; }
  input[type=text], input[type=email], textarea { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; }
  button, a.button { display: inline-block; padding: .6rem 1.2rem; border: 1px solid var(--accent); border-radius: .4rem; background: var(--accent); color: #fff; font: inherit; cursor: pointer; text-decoration: none; }
  button.second { background: transparent; color: inherit; }
  @media (max-width: 40rem) {
    .items, .items tbody, .items tfoot, .items tr, .items th, .items td { display: block; }
    .items thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
    .items tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
    .items th, .items td { padding: .1rem 0; border: 0; }
    .items .number { display: flex; justify-content: space-between; gap: 1rem; white-space: normal; }
    .items .number::before { content: attr(data-label); opacity: .7; }
    .items tfoot tr { display: flex; justify-content: space-between; gap: 1rem; }
    .items tfoot th, .items tfoot td { display: block; min-width: 0; }
  }
`;

/**
 * A complete page that works without JavaScript, in the house's style.
 *
 * @param content what stands in `<main>`, below the heading
 */
export function publicPage(title: string, content: Html, status = 200, language = 'en'): FileResult {
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
  return new FileResult('text/html; charset=utf-8', page.text, null, { status });
}

const TITLES: Readonly<Record<number, string>> = {
  404: 'This page does not exist',
  429: 'One moment, please',
  503: 'One moment, please',
};

/** What a person sees instead of the uniform error body. */
export function errorPage(error: ApiError, requestId: string): FileResult {
  const title = TITLES[error.status] ?? 'That did not work';
  const content = html`<p>${error.message}</p>
    <p class="quiet">${requestId}</p>`;
  return publicPage(title, content, error.status);
}
