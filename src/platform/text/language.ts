/** The canonical form of a BCP 47 language tag (`EN-us` -> `en-US`); null when it is none. */
export function canonicalLanguage(tag: string): string | null {
  if (tag.length > 35) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** The first part of a BCP 47 tag, lower-case: `de` of `de-AT`. */
export function languageOfTag(locale: string): string {
  return (/^[a-z]{2,8}/i.exec(locale)?.[0] ?? 'en').toLowerCase();
}

const FROM_RIGHT = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** Which way a language is written. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return FROM_RIGHT.has(languageOfTag(locale)) ? 'rtl' : 'ltr';
}

/** The locale that Intl writes numbers and days in; English where the tag is none, or none that is known. */
export function usableLocale(locale: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
