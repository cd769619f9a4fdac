import { ValidateBy } from 'class-validator';
import { freeMailDomains } from './free-mail-domains';

/** Every item is a domain of the company's own, not one at which anyone gets an address. */
export function IsOwnDomain(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isOwnDomain',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && !freeMailDomains.has(value),
        defaultMessage: (args) =>
          `${args?.property ?? 'value'} must not name free mail services: ${freeOnes(args?.value).join(', ')}`,
      },
    },
    { each: true, context: { code: 'free_mail_domain' } },
  );
}

function freeOnes(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === 'string').filter((item) => freeMailDomains.has(item));
}
