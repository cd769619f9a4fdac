/**
 * The collation that texts are sorted in, whatever database they are in (migration `1768950000000`): case and accents make no difference,
 * `ß` is `ss`. A collation and no function: one that is not leakproof would be kept out of index conditions under row-level security.
 */
export const TEXT_ORDER = 'text_order';

/** A text as it is sorted and compared. @param text SQL: a column, a call or a CASE */
export function inTextOrder(text: string): string {
  return `${text} COLLATE ${TEXT_ORDER}`;
}

/** The same order of texts in memory. */
export const compareInTextOrder = new Intl.Collator('en', { sensitivity: 'base' }).compare;
