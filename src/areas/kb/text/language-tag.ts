import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { canonicalLanguage } from '../../../platform/text/language';

/** A tag in its canonical form; what is none as it is. */
export function writtenLanguage(tag: string): string {
  return canonicalLanguage(tag) ?? tag;
}

/** A BCP 47 language tag, brought into its canonical form. Reported with code `format`. */
export function IsLanguageTag(): PropertyDecorator {
  const canonical = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? writtenLanguage(value.trim()) : value,
  );
  const valid = ValidateBy({
    name: 'isLanguageTag',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && canonicalLanguage(value) !== null,
      defaultMessage: (args) => `${args?.property ?? 'value'} must be a language tag of BCP 47, e.g. en or pt-BR`,
    },
  });
  return (prototype, key) => {
    canonical(prototype, key);
    valid(prototype, key);
  };
}
