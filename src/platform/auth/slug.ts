import { normalise } from '../text/normalise';

/** The longest slug: it fits a DNS label. */
export const SLUG_LENGTH = 63;

/** A name as a slug: `Café Nord GmbH` -> `cafe-nord-gmbh`; `workspace` when nothing of the name is left. */
export function slugOf(name: string): string {
  const slug = normalise(name, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'workspace' : slug;
}
