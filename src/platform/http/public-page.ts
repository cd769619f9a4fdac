import { type Brand, NO_BRAND, shownSize, shownWebsite } from '../brand/brand';
import { type Palette, paletteOf } from '../brand/colour';
import type { ApiError } from '../errors/api-error';
import { directionOf, languageOfTag } from '../text/language';
import { FileResult } from './results';
import { type Html, type Template, template } from './template';

/** Pages for people without a token live below this path, outside `/v1`. */
export const PAGES = '/p';

/** Pixels that a logo has on them. */
const LOGO_BOX = { width: 240, height: 64 } as const;

interface View {
  title: string;
  content: Html;
  language: string;
  direction: 'ltr' | 'rtl';
  palette: Palette;
  name: string;
  logo: { png: string; width: number; height: number } | null;
  address: readonly string[];
  website: string | null;
  websiteName: string | null;
}

const page: Template<View> = template(__dirname, 'public-page');
const failure: Template<{ message: string; requestId: string }> = template(__dirname, 'error-page');

/** Whether a path is that of such a page. */
export function isPage(url: string): boolean {
  return url.startsWith(`${PAGES}/`);
}

/** A page for people. */
export interface PublicPage {
  title: string;
  /** What stands below the heading. */
  content: Html;
  /** Whose page it is. */
  brand: Brand;
  status?: number;
  /** BCP 47 tag; English unless given. */
  locale?: string;
}

/** A complete page that works without JavaScript and asks nobody else for anything, in the look of a workspace. */
export function publicPage({ title, content, brand, status = 200, locale = 'en' }: PublicPage): FileResult {
  const { name, color, address, website, logo } = brand;
  const [width, height] = logo ? shownSize(logo, LOGO_BOX) : [0, 0];
  const html = page({
    ...{ title, content, name, website },
    language: languageOfTag(locale),
    direction: directionOf(locale),
    palette: paletteOf(color),
    logo: logo && { png: logo.png, width, height },
    address: address?.split('\n') ?? [],
    websiteName: shownWebsite(website),
  });
  return new FileResult('text/html; charset=utf-8', html, null, { status });
}

const TITLES: Readonly<Record<number, string>> = {
  404: 'This page does not exist',
  429: 'One moment, please',
  503: 'One moment, please',
};

/** What a person sees instead of the uniform error body. */
export function errorPage(error: ApiError, requestId: string): FileResult {
  const title = TITLES[error.status] ?? 'That did not work';
  const content = failure({ message: error.message, requestId });
  return publicPage({ title, content, brand: NO_BRAND, status: error.status });
}
