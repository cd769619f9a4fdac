import { languageOfTag, usableLocale } from '../text/language';
import { type FieldDefinition, isNothing } from './field-definition';

/** Yes and no, by language. */
const ANSWERS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  en: ['Yes', 'No'],
  de: ['Ja', 'Nein'],
  fr: ['Oui', 'Non'],
  es: ['Sí', 'No'],
  it: ['Sì', 'No'],
};

/**
 * A value of a field as a person reads it: labels of options, numbers and days as the locale writes them, Latin digits. A value that is
 * none of the field (it is older than the definition) is told as it is where it is a text, number or flag; null where there is nothing to tell.
 *
 * @param locale BCP 47; English where it is none
 * @param titleOf what the record is called that a reference names; null when it is not there
 */
export function fieldText(
  { type, options }: Pick<FieldDefinition, 'type' | 'options'>,
  value: unknown,
  locale: string,
  titleOf: (id: number) => string | null = () => null,
): string | null {
  if (isNothing(value)) return null;
  const labelOf = (item: unknown): string | null =>
    options.find((option) => option.value === item)?.label ?? plain(item, locale);
  if (type === 'reference') return typeof value === 'number' ? titleOf(value) : null;
  if (type === 'date' && typeof value === 'string') return dayText(value, locale);
  const texts = (Array.isArray(value) ? value : [value]).map(labelOf).filter((text) => text !== null && text !== '');
  return texts.length === 0 ? null : texts.join(', ');
}

function plain(value: unknown, locale: string): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return (ANSWERS[languageOfTag(locale)] ?? ANSWERS.en)?.[value ? 0 : 1] ?? null;
  if (typeof value !== 'number') return null;
  return new Intl.NumberFormat(usableLocale(locale), { numberingSystem: 'latn', maximumFractionDigits: 6 }).format(
    value,
  );
}

/** A day as the locale writes it out; the text itself where it is none. */
function dayText(day: string, locale: string): string {
  const moment = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(moment.getTime())) return day;
  const options = { dateStyle: 'long', timeZone: 'UTC', numberingSystem: 'latn', calendar: 'gregory' } as const;
  return new Intl.DateTimeFormat(usableLocale(locale), options).format(moment);
}
