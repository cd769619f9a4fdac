import slugify from 'slugify';

const MAX_LENGTH = 72;

/** A name as part of an address, in Latin letters: `Café & Bar` -> `cafe-and-bar`; `meeting` when nothing is left. */
export function meetingTypeSlug(name: string): string {
  const slug = slugify(name, { lower: true, strict: true });
  return slug.slice(0, MAX_LENGTH).replace(/^-+|-+$/g, '') || 'meeting';
}

/** The slug, or the first of `slug-2`, `slug-3`, … that is not taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}
