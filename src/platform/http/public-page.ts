import type { ApiError } from '../errors/api-error';
import { FileResult } from './results';
import { type Html, type Template, template } from './template';

/** Pages for people without a token live below this path, outside `/v1`. */
export const PAGES = '/p';

const page: Template<{ title: string; content: Html; language: string }> = template(__dirname, 'public-page');
const failure: Template<{ message: string; requestId: string }> = template(__dirname, 'error-page');

/** Whether a path is that of such a page. */
export function isPage(url: string): boolean {
  return url.startsWith(`${PAGES}/`);
}

/**
 * A complete page that works without JavaScript, in the house's style.
 *
 * @param content what stands in `<main>`, below the heading
 */
export function publicPage(title: string, content: Html, status = 200, language = 'en'): FileResult {
  return new FileResult('text/html; charset=utf-8', page({ title, content, language }), null, { status });
}

const TITLES: Readonly<Record<number, string>> = {
  404: 'This page does not exist',
  429: 'One moment, please',
  503: 'One moment, please',
};

/** What a person sees instead of the uniform error body. */
export function errorPage(error: ApiError, requestId: string): FileResult {
  const title = TITLES[error.status] ?? 'That did not work';
  return publicPage(title, failure({ message: error.message, requestId }), error.status);
}
