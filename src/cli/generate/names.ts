/** The forms of a name: `service_contract` of `service-contract`, `ServiceContract`, and so on. */
export const snake = (name: string): string => name.replaceAll('-', '_');
export const kebab = (name: string): string => name.replaceAll('_', '-');
export const words = (name: string): string => name.replaceAll(/[-_]/g, ' ');
export const pascal = (name: string): string =>
  name.replaceAll(/(^|[-_])(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase());
export const camel = (name: string): string => pascal(name).replace(/^\w/, (letter) => letter.toLowerCase());
export const capital = (text: string): string => text.replace(/^\w/, (letter) => letter.toUpperCase());
export const article = (text: string): string => (/^[aeio]/.test(text) ? 'An' : 'A');

/** Plural of an English noun; `--plural` says it where this guesses wrong. */
export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies');
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
