import { ValidateBy, type ValidationOptions } from 'class-validator';
import { isLonger } from '../text/normalise';
import { isDay, parseTimestamp } from '../time/iso-time';
import { normaliseTags } from './column-spec';

const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 50;
/** Most keys of a flat object. */
export const MAX_KEYS = 50;
const MAX_KEY_LENGTH = 64;
const MAX_TEXT = 4_000;
const MAX_LIST = 100;

/** What is wrong with an object of more keys than fit. */
export const tooManyKeys: Misfit = { code: 'max', problem: `must have at most ${MAX_KEYS} keys` };

/** What the OpenAPI document says of tags in bodies. */
export const tagsSchema = {
  oneOf: [
    { type: 'string' },
    { type: 'array', items: { type: 'string', maxLength: MAX_TAG_LENGTH }, maxItems: MAX_TAGS },
  ],
};

/** What it says of flat objects. */
export const flatObjectSchema = {
  type: 'object',
  maxProperties: MAX_KEYS,
  propertyNames: { minLength: 1, maxLength: MAX_KEY_LENGTH },
  additionalProperties: true,
} as const;

/** A timestamp with date, time and zone, in the years 1 to 9999 of UTC. Reported with code `format`. */
export function isIsoTimestamp(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isISO8601',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && parseTimestamp(value) !== null,
        defaultMessage: (args) =>
          `${args?.property ?? 'value'} must be an ISO 8601 timestamp with a zone, e.g. 2026-10-20T08:00:00.000Z`,
      },
    },
    options,
  );
}

/** A day that exists, `YYYY-MM-DD`. Reported with code `format`. */
export function IsDay(options?: ValidationOptions): PropertyDecorator {
  return textRule('isDay', isDay, 'must be a day that exists, e.g. 2026-10-20', options);
}

/** A finite number with at most so many digits behind the point, however it is written (`1e-7` has seven). */
export function IsDecimal(decimals: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isNumber',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'number' && Number.isFinite(value) && Number(value.toFixed(decimals)) === value,
        defaultMessage: (args) => `${args?.property ?? 'value'} must be a number with at most ${decimals} decimals`,
      },
    },
    options,
  );
}

/** What is wrong with a value, in words that follow its name, and the code that the API reports. */
export interface Misfit {
  code: 'type' | 'max' | 'format';
  problem: string;
}

/** A comma-separated string or an array of strings; at most 50 tags of 50 characters; no comma inside an array item. */
export function IsTags(options?: ValidationOptions): PropertyDecorator {
  return codedRules('Tags', tagsProblem, options);
}

/** A text that is more than nothing as a tag. Reported with code `min`. */
export function IsSomeTag(): PropertyDecorator {
  return ValidateBy({
    name: 'isNotBlank',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || normaliseTags(value) !== '',
      defaultMessage: (args) => `${args?.property ?? 'value'} must not be blank`,
    },
  });
}

/** What is wrong with tags as they are sent; null when nothing is. */
export function tagsProblem(value: unknown): Misfit | null {
  const tooMany: Misfit = { code: 'max', problem: `must have at most ${MAX_TAGS} tags` };
  if ((typeof value === 'string' || Array.isArray(value)) && value.length > MAX_TAGS * (2 * MAX_TAG_LENGTH + 10))
    return tooMany;
  if (typeof value !== 'string' && !(Array.isArray(value) && value.every((item) => typeof item === 'string'))) {
    return { code: 'type', problem: 'must be a comma-separated string or an array of strings' };
  }
  if (Array.isArray(value) && value.some((item: string) => item.includes(',')))
    return { code: 'format', problem: 'must not contain a comma inside a tag' };
  const tags = normaliseTags(value).split(',');
  if (tags.length > MAX_TAGS) return tooMany;
  return tags.some((tag) => isLonger(tag, MAX_TAG_LENGTH))
    ? { code: 'max', problem: `must have tags of at most ${MAX_TAG_LENGTH} characters` }
    : null;
}

/** A flat object of at most 50 keys; values are scalars or arrays of scalars (decision 2). */
export function IsFlatObject(options?: ValidationOptions): PropertyDecorator {
  return codedRules('FlatObject', flatProblem, options);
}

/** What is wrong with an object that should be flat (decision 2); null when nothing is. */
export function flatProblem(value: unknown): Misfit | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { code: 'type', problem: 'must be an object' };
  const entries = Object.entries(value);
  if (entries.length > MAX_KEYS) return tooManyKeys;
  if (entries.some(([key]) => key === '')) return { code: 'format', problem: 'must not have an empty key' };
  if (entries.some(([key]) => isLonger(key, MAX_KEY_LENGTH)))
    return { code: 'max', problem: `must have keys of at most ${MAX_KEY_LENGTH} characters` };
  const values = entries.flatMap(([, item]): unknown[] => (Array.isArray(item) ? item : [item]));
  if (!values.every(isScalar))
    return { code: 'type', problem: 'must have values that are scalars or arrays of scalars' };
  if (values.some((item) => typeof item === 'string' && isLonger(item, MAX_TEXT)))
    return { code: 'max', problem: 'must have texts of at most 4,000 characters' };
  return entries.some(([, item]) => Array.isArray(item) && item.length > MAX_LIST)
    ? { code: 'max', problem: `must have arrays of at most ${MAX_LIST} values` }
    : null;
}

const isScalar = (value: unknown): boolean => value === null || ['boolean', 'number', 'string'].includes(typeof value);

/** The IANA name of a time zone, e.g. `Europe/Berlin`. */
export function IsTimeZoneName(options?: ValidationOptions): PropertyDecorator {
  return textRule('isTimeZoneName', isTimeZoneName, 'must be an IANA time zone, e.g. Europe/Berlin', options);
}

/** A BCP 47 language tag, e.g. `en` or `de-AT`. */
export function IsLanguageTag(options?: ValidationOptions): PropertyDecorator {
  return textRule('isLanguageTag', isLanguageTag, 'must be a BCP 47 language tag, e.g. en or de-AT', options);
}

/**
 * Zones that ICU has besides those of IANA: abbreviations of old Java, those of System V, names that were taken away. PostgreSQL knows
 * none of them, or takes them for other zones (`AST`, `IST`).
 */
const OF_ICU_ALONE = new RegExp(
  `^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV/.*|US/Pacific-New|Canada/East-Saskatchewan)$`,
  'i',
);

/** Whether IANA has a zone of that name, as far as the runtime knows; offsets such as `+02:00` are no zones. */
export function isTimeZoneName(text: string): boolean {
  if (!/^[A-Za-z]/.test(text) || OF_ICU_ALONE.test(text)) return false;
  return succeeds(() => new Intl.DateTimeFormat('en', { timeZone: text }));
}

/** Whether a text is a BCP 47 language tag. */
export function isLanguageTag(text: string): boolean {
  return succeeds(() => Intl.getCanonicalLocales(text));
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/** One rule for each code, named so that it is reported with that: `isTags`, `maxTags`, `formatTags`. */
function codedRules(
  name: string,
  problemOf: (value: unknown) => Misfit | null,
  options?: ValidationOptions,
): PropertyDecorator {
  const rules = (['type', 'max', 'format'] as const).map((code) =>
    ValidateBy(
      {
        name: `${code === 'type' ? 'is' : code}${name}`,
        validator: {
          validate: (value: unknown) => problemOf(value)?.code !== code,
          defaultMessage: (args) => `${args?.property ?? 'value'} ${problemOf(args?.value)?.problem ?? ''}`,
        },
      },
      options,
    ),
  );
  return (target, property) => rules.forEach((rule) => rule(target, property));
}

function textRule(
  name: string,
  holds: (text: string) => boolean,
  demand: string,
  options?: ValidationOptions,
): PropertyDecorator {
  return ValidateBy(
    {
      name,
      validator: {
        validate: (value: unknown) => typeof value === 'string' && holds(value),
        defaultMessage: (args) => `${args?.property ?? 'value'} ${demand}`,
      },
    },
    options,
  );
}
