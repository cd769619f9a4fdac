import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { isSigningKey } from '../mail/dkim';
import { cleanAddress, MAX_ADDRESS } from '../mail/mail-address';
import { MAX_URL } from '../outbound/target-url';
import { IsShaped, type Shape } from '../validation/shapes';
import { isLonger } from '../text/normalise';

/** A key of 4096 bits has about 3,300. */
const MAX_KEY = 8_192;

/**
 * The members of a class of settings (`Provider.config`). What a member is initialised with is its default. The check of an
 * installation and the `config_schema` of the catalogue both follow from the class (`openapi/config-schema.ts`): a bound stands once.
 */
export interface SettingWords {
  /** What a form calls it. */
  title: string;
  description?: string;
  required?: boolean;
  /** Kept encrypted, never shown again. */
  secret?: boolean;
  /** Of a secret: it signs or compares, and is never sent. Others are to be given again where an address of the settings leads elsewhere. */
  stays?: boolean;
}

const STAYS = 'setting:stays';

/** Whether a secret is never sent to the addresses of its settings. */
export function staysHere(config: new () => object, name: string): boolean {
  return Reflect.getMetadata(STAYS, config.prototype as object, name) === true;
}

/** Text; `pattern` says what the whole of it must be. */
export function TextSetting(
  settings: SettingWords & { min?: number; max: number; pattern?: RegExp },
): PropertyDecorator {
  const { min = 0, max, pattern } = settings;
  const rules = [IsString(says('be string')), ...lengths(min, max)];
  if (pattern) rules.push(Matches(pattern, says(`match pattern "${pattern.source}"`)));
  return setting(settings, { type: 'string' }, rules);
}

/** Texts, each once, each of which `pattern` says the whole of. */
export function TextsSetting(
  settings: SettingWords & { min: number; max: number; longest: number; pattern: RegExp },
): PropertyDecorator {
  const { min, max, longest, pattern } = settings;
  const each = { each: true };
  return setting(settings, { type: 'array', items: { type: 'string' } }, [
    ...listed(min, max),
    IsString({ ...says('be an array of strings'), ...each }),
    MaxLength(longest, { ...says(`NOT have items of more than ${longest} characters`), ...each }),
    Matches(pattern, { ...says(`have items that match pattern "${pattern.source}"`), ...each }),
  ]);
}

/** The address of a server that is called: public, or in a range that the operator allows. */
export function UrlSetting(settings: SettingWords & { max?: number }): PropertyDecorator {
  const { max = MAX_URL } = settings;
  const rules = [IsString(says('be string')), ...lengths(0, max), formatted('uri', (text) => URL.canParse(text))];
  return setting(settings, { type: 'string', format: 'uri' }, rules);
}

/** A mail address. */
export function EmailSetting(settings: SettingWords): PropertyDecorator {
  const rules = [IsString(says('be string')), ...lengths(0, MAX_ADDRESS), formatted('email', isAddress)];
  return setting(settings, { type: 'string', format: 'email' }, rules);
}

/** Mail addresses, each once. */
export function EmailsSetting(settings: SettingWords & { min: number; max: number }): PropertyDecorator {
  const { min, max } = settings;
  return setting(settings, { type: 'array', items: { type: 'string', format: 'email', maxLength: MAX_ADDRESS } }, [
    ...listed(min, max),
    IsShaped({ api: {}, find: findInAddresses }),
  ]);
}

/** The name or address of a mail server. */
export function HostSetting(settings: SettingWords): PropertyDecorator {
  const rules = [
    IsString(says('be string')),
    ...lengths(0, 253),
    formatted('mail-host', (text) => /^(?!-)[A-Za-z0-9.:-]{1,253}$/.test(text)),
  ];
  return setting(settings, { type: 'string', format: 'mail-host' }, rules);
}

/** A private key that mail is signed with: RSA of 1024 to 4096 bits, as PEM. */
export function SigningKeySetting(settings: SettingWords): PropertyDecorator {
  const rules = [IsString(says('be string')), ...lengths(1, MAX_KEY), formatted('rsa-private-key', isSigningKey)];
  return setting(settings, { type: 'string', format: 'rsa-private-key' }, rules);
}

export function IntegerSetting(settings: SettingWords & { min: number; max: number }): PropertyDecorator {
  const { min, max } = settings;
  const rules = [IsInt(says('be integer')), Min(min, says(`be >= ${min}`)), Max(max, says(`be <= ${max}`))];
  return setting(settings, { type: 'integer' }, rules);
}

/** One of a closed list. */
export function EnumSetting(values: readonly string[], settings: SettingWords): PropertyDecorator {
  return setting(settings, { type: 'string' }, [IsIn(values, says('be equal to one of the allowed values'))]);
}

/** Yes or no. */
export function FlagSetting(settings: SettingWords): PropertyDecorator {
  return setting(settings, { type: 'boolean' }, [IsBoolean(says('be boolean'))]);
}

/** Bounds are not told here: they are read from the rules. */
function setting(
  { title, description, required = false, secret = false, stays = false }: SettingWords,
  api: ApiPropertyOptions,
  rules: readonly PropertyDecorator[],
): PropertyDecorator {
  const words = { title, required, ...(description ? { description } : {}), ...(secret ? { writeOnly: true } : {}) };
  return applyDecorators(
    ApiProperty({ ...api, ...words } as ApiPropertyOptions),
    ValidateIf((_, value) => value !== undefined),
    Reflect.metadata(STAYS, stays),
    ...rules,
  );
}

function says(demand: string): { message: string } {
  return { message: `"config.$property" must ${demand}.` };
}

function lengths(min: number, max: number): PropertyDecorator[] {
  const most = MaxLength(max, says(`NOT have more than ${max} characters`));
  return min > 0 ? [MinLength(min, says(`NOT have fewer than ${min} characters`)), most] : [most];
}

function listed(min: number, max: number): PropertyDecorator[] {
  return [
    IsArray(says('be array')),
    ArrayMinSize(min, says(`NOT have fewer than ${min} items`)),
    ArrayMaxSize(max, says(`NOT have more than ${max} items`)),
    ArrayUnique(says('NOT have duplicate items')),
  ];
}

function formatted(format: string, holds: (text: string) => boolean): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && holds(value);
  return ValidateBy({ name: `isSetting_${format}`, validator: { validate } }, says(`match format "${format}"`));
}

const isAddress = (text: string): boolean => cleanAddress(text) !== null;

/** Names each wrong address by its place in the list. */
const findInAddresses: Shape['find'] = (list, name, found) => {
  if (!Array.isArray(list)) return;
  for (const [index, item] of list.entries()) {
    const [code, demand] = itemProblem(item);
    const field = `${name}.${index}`;
    if (code !== null) found.push({ field, code, message: `"${field}" must ${demand}.` });
  }
};

function itemProblem(item: unknown): readonly [code: string, demand: string] | readonly [code: null, demand: ''] {
  if (typeof item !== 'string') return ['type', 'be string'];
  if (isLonger(item, MAX_ADDRESS)) return ['max', `NOT have more than ${MAX_ADDRESS} characters`];
  return isAddress(item) ? [null, ''] : ['format', 'match format "email"'];
}
