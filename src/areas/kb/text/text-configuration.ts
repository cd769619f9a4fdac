/** Text search configurations that every PostgreSQL from 14 on has, by primary language. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** The configuration that makes stems of a language (BCP 47); `simple` makes none. */
export function textConfiguration(language: string): string {
  const primary = language.toLowerCase().split('-')[0] ?? '';
  return `pg_catalog.${(Object.hasOwn(CONFIGURATIONS, primary) ? CONFIGURATIONS[primary] : null) ?? 'simple'}`;
}
