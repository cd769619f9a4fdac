import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import { fail, type ErrorDetail } from '../../platform/errors/api-error';
import type { SmtpAccount } from '../../platform/mail/smtp-account';
import { cleanAddress } from '../../platform/mail/mail-address';
import type { AddressRange } from '../../platform/outbound/addresses';
import { checkTargetUrl } from '../../platform/outbound/target-url';
import { type Provider, secretsOf } from '../../platform/area/provider';

/** What a secret looks like wherever it is shown; sent back, it means "leave it". */
export const REDACTED = '********';

/** Settings that the providers of the catalogue have; which of them there are is the provider's to say. */
interface KnownSettings {
  webhook_url?: string;
  url?: string;
  secret?: string;
  host?: string;
  port?: number;
  security?: SmtpAccount['security'];
  username?: string;
  password?: string;
  from_address?: string;
  from_name?: string;
  reply_to?: string;
  recipients?: string[];
  mailbox?: string;
  poll_interval_seconds?: number;
  import_existing?: boolean;
  mark_seen?: boolean;
  max_per_sender_per_hour?: number;
}

/** Settings by name, as the provider's schema has checked them. */
export type Config = KnownSettings & Record<string, unknown>;

const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: true });
ajv.addFormat('email', (text: string) => cleanAddress(text) !== null);
ajv.addFormat('uri', (text: string) => URL.canParse(text));
ajv.addFormat('mail-host', /^(?!-)[A-Za-z0-9.:-]{1,253}$/);

const validators = new Map<string, ValidateFunction>();

/**
 * The settings of an installation after a change: what is not named stays, null takes a setting away, and a secret sent
 * back as it was shown is kept. Checked against the provider's schema, defaults filled in.
 *
 * @param allowed address ranges that URLs may lead into although they are not public
 * @throws ApiError 422 naming each wrong setting as `config.<name>`
 */
export function mergedConfig(
  provider: Provider,
  before: Config,
  asked: Config,
  allowed: readonly AddressRange[],
): Config {
  const secrets = secretsOf(provider);
  const shadows = new Set(secrets.map((name) => `${name}_set`));
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(asked)) {
    if (shadows.has(name)) continue;
    if (value === null) merged.delete(name);
    else if (value !== REDACTED || !secrets.includes(name)) merged.set(name, value);
  }
  const config = Object.fromEntries(merged);
  const details = [...schemaProblems(provider, config), ...urlProblems(provider, config, allowed)];
  if (details.length) {
    const missing = details.filter(({ code }) => code === 'required').map(({ field }) => field);
    fail('validation_error', details[0]?.message ?? '', { details, ...(missing.length ? { missing } : {}) });
  }
  return config;
}

/** What everyone may see of the settings: secrets as `********`, and for each whether it is set. */
export function redacted(provider: Provider, config: Config): Config {
  const secrets = secretsOf(provider);
  const shown: Config = {};
  for (const [name, value] of Object.entries(config)) shown[name] = secrets.includes(name) ? REDACTED : value;
  for (const name of secrets) shown[`${name}_set`] = name in config;
  return shown;
}

/** The secrets among the settings. */
export function secretPart(provider: Provider, config: Config): Config {
  return Object.fromEntries(
    secretsOf(provider)
      .filter((name) => name in config)
      .map((name) => [name, config[name]]),
  );
}

/** The whole settings again, from what is shown and the secrets. */
export function wholeConfig(provider: Provider, shown: Config, secrets: Config): Config {
  const hidden = new Set(secretsOf(provider).flatMap((name) => [name, `${name}_set`]));
  return { ...Object.fromEntries(Object.entries(shown).filter(([name]) => !hidden.has(name))), ...secrets };
}

function schemaProblems(provider: Provider, config: Config): ErrorDetail[] {
  let validate = validators.get(provider.key);
  if (!validate) validators.set(provider.key, (validate = ajv.compile(provider.config_schema)));
  return validate(config) ? [] : (validate.errors ?? []).map((error) => problem(provider, error));
}

/** What ajv tells of a fault, by its kind. */
interface Faulted {
  missingProperty?: string;
  additionalProperty?: string;
  allowedValues?: string[];
}

const CODES: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown_field',
  maximum: 'max',
  maxLength: 'max',
  maxItems: 'max',
  minimum: 'min',
  minLength: 'min',
  minItems: 'min',
  pattern: 'format',
  uniqueItems: 'duplicate',
};

function problem(provider: Provider, { keyword, instancePath, params, message }: ErrorObject): ErrorDetail {
  const extra: Faulted = params;
  const within = instancePath.slice(1).replaceAll('/', '.');
  const name = within || (extra.missingProperty ?? extra.additionalProperty ?? '');
  const field = `config.${name}`;
  const allowed =
    extra.allowedValues ?? (extra.additionalProperty ? Object.keys(provider.config_schema.properties) : null);
  const text =
    keyword === 'required'
      ? 'is required'
      : keyword === 'additionalProperties'
        ? `is no setting of ${provider.name}`
        : (message ?? 'is invalid');
  return { field, code: CODES[keyword] ?? keyword, message: `"${field}" ${text}.`, ...(allowed ? { allowed } : {}) };
}

function urlProblems(provider: Provider, config: Config, ranges: readonly AddressRange[]): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const [name, { format }] of Object.entries(provider.config_schema.properties)) {
    const value = config[name];
    if (format !== 'uri' || typeof value !== 'string') continue;
    const { problem: wrong } = checkTargetUrl(value, ranges);
    if (wrong !== null) details.push({ field: `config.${name}`, code: 'url', message: `"config.${name}" ${wrong}.` });
  }
  return details;
}
