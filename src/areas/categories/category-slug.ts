import { normalise } from '../../platform/text/normalise';

const MAX_LENGTH = 80;

/** A name as part of an address: `Café & Bar` -> `cafe-bar`. Letters of every script stay; `category` when none is left. */
export function categorySlug(name: string): string {
  const letters = normalise(name, 'NFKD').replace(/\p{M}+/gu, '');
  const slug = normalise(letters, 'NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  const trimmed = Array.from(slug)
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/^-+|-+$/g, '');
  return trimmed === '' ? 'category' : trimmed;
}
