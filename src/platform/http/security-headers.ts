import { isPage } from './public-page';

const COMMON = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

/** Answers of the API are data: a browser that shows one must load nothing and frame nothing. */
const API = {
  ...COMMON,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-cache',
};

/** The documentation page runs its own scripts, writes style attributes and calls this API. */
const PAGE = {
  ...COMMON,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The start page: one script and one style sheet of its own, which asks this service how it is. */
const HOME = {
  ...PAGE,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
};

/** Pages for people without a token: forms that post back here, one style sheet and a logo within the page, nothing else. */
const PUBLIC_PAGE = {
  ...COMMON,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'private, no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** What somebody else has made: a browser that shows it must run nothing of it, and take it for nothing but what it is said to be. */
const FILE = {
  ...COMMON,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cache-control': 'private, no-cache, no-transform',
};

/** A script for pages of any origin, those among them that take nothing else from others (COEP). */
const SCRIPT = {
  ...COMMON,
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=3600',
};

/** What a route says of its answers. */
interface Served {
  servesFiles?: boolean;
  servesScript?: boolean;
}

/** The fixed security headers for an answer to this path. */
export function securityHeaders(
  url: string,
  { servesFiles = false, servesScript = false }: Served = {},
): Readonly<Record<string, string>> {
  if (servesFiles) return FILE;
  if (servesScript) return SCRIPT;
  if (url.startsWith('/docs')) return PAGE;
  if (url === '/' || url.startsWith('/?')) return HOME;
  return isPage(url) ? PUBLIC_PAGE : API;
}
