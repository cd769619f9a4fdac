import { staysHere } from '../../platform/area/settings';
import { configSchemaOf, secretsOf } from '../../platform/openapi/config-schema';
import type { Provider } from '../../platform/area/provider';
import { fail, type ErrorDetail } from '../../platform/errors/api-error';
import type { AddressRange } from '../../platform/outbound/addresses';
import { checkTargetUrl } from '../../platform/outbound/target-url';
import { findInClass } from '../../platform/validation/class-check';

/** What a secret looks like wherever it is shown; sent back, it means "leave it". */
export const REDACTED = '********';
/** Unknown settings that an answer names. */
const MAX_UNKNOWN = 20;

/** What has settings: providers, and whatever else says them in a class. */
export type Configured = Pick<Provider, 'name' | 'config'>;

/** Settings by name, as the class of the provider has checked them. */
export type Config = Record<string, unknown>;

/**
 * The settings of an installation after a change: what is not named stays, null takes a setting away, and a secret sent
 * back as it was shown is kept, unless it would go to another address than it was given for. Checked by the rules of the provider's
 * class, defaults filled in.
 *
 * @param allowed address ranges that URLs may lead into although they are not public
 * @throws ApiError 422 naming each wrong setting as `config.<name>`
 */
export function mergedConfig(
  provider: Configured,
  before: Config,
  asked: Config,
  allowed: readonly AddressRange[],
): Config {
  const secrets = secretsOf(provider.config);
  const shadows = new Set(secrets.map((name) => `${name}_set`));
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(asked)) {
    if (shadows.has(name)) continue;
    if (value === null) merged.delete(name);
    else if (value !== REDACTED || !secrets.includes(name)) merged.set(name, value);
  }
  const { config, details } = read(provider, Object.fromEntries(merged));
  details.push(...urlProblems(provider, config, allowed));
  const isKept = (name: string): boolean => name in before && name in config && (asked[name] ?? REDACTED) === REDACTED;
  details.push(...movedProblems(provider, before, config, secrets.filter(isKept)));
  if (details.length) {
    const missing = details.filter(({ code }) => code === 'required').map(({ field }) => field);
    fail('validation_error', details[0]?.message ?? '', { details, ...(missing.length ? { missing } : {}) });
  }
  return config;
}

/** What everyone may see of the settings: secrets as `********`, and for each whether it is set. */
export function redacted(provider: Configured, config: Config): Config {
  const secrets = secretsOf(provider.config);
  const shown: Config = {};
  for (const [name, value] of Object.entries(config)) shown[name] = secrets.includes(name) ? REDACTED : value;
  for (const name of secrets) shown[`${name}_set`] = name in config;
  return shown;
}

/** The secrets among the settings. */
export function secretPart(provider: Configured, config: Config): Config {
  return Object.fromEntries(
    secretsOf(provider.config)
      .filter((name) => name in config)
      .map((name) => [name, config[name]]),
  );
}

/** The whole settings again, from what is shown and the secrets. */
export function wholeConfig(provider: Configured, shown: Config, secrets: Config): Config {
  const hidden = new Set(secretsOf(provider.config).flatMap((name) => [name, `${name}_set`]));
  return { ...Object.fromEntries(Object.entries(shown).filter(([name]) => !hidden.has(name))), ...secrets };
}

/** The settings as an object of the provider's class, or of any provider's that has those members: defaults are filled in. */
export function settingsOf<T extends object>(config: new () => T, settings: Config): T {
  return Object.assign(new config(), settings);
}

/** The settings with their defaults, and what is wrong with them: what is missing, what is unknown, what breaks a rule. */
function read(
  { name: provider, config: settingsClass }: Configured,
  given: Config,
): { config: Config; details: ErrorDetail[] } {
  const { properties, required } = configSchemaOf(settingsClass);
  const allowed = Object.keys(properties);
  const unknown = Object.keys(given).filter((name) => !allowed.includes(name));
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => allowed.includes(name)));
  const config = settingsOf(settingsClass, known);
  const details = [
    ...required.filter((name) => !(name in given)).map((name) => problem(name, 'required', 'is required')),
    ...unknown.slice(0, MAX_UNKNOWN).map((name) => ({
      ...problem(name, 'unknown_field', `is no setting of ${provider}`),
      allowed,
    })),
  ];
  findInClass(config, settingsClass, 'config', details);
  return { config: { ...config }, details };
}

/** Who changes where secrets go shall know them: otherwise whoever may change an address could read them there. */
function movedProblems(
  { config: settings }: Configured,
  before: Config,
  after: Config,
  kept: readonly string[],
): ErrorDetail[] {
  const known: Config = { ...settingsOf(settings, before) };
  const moved = Object.entries(configSchemaOf(settings).properties).find(
    ([name, { format, writeOnly }]) =>
      writeOnly !== true && placeOf(known[name], format) !== placeOf(after[name], format),
  );
  if (!moved) return [];
  const sent = kept.filter((name) => !staysHere(settings, name));
  return sent.map((name) => problem(name, 'required', `must be given again: "config.${moved[0]}" leads elsewhere`));
}

/** Where an address leads; null of what is none. */
function placeOf(value: unknown, format: string | undefined): string | null {
  if (typeof value !== 'string') return null;
  if (format === 'mail-host') return value.toLowerCase();
  return format === 'uri' && URL.canParse(value) ? new URL(value).origin : null;
}

function problem(name: string, code: string, text: string): ErrorDetail {
  return { field: `config.${name}`, code, message: `"config.${name}" ${text}.` };
}

function urlProblems(provider: Configured, config: Config, ranges: readonly AddressRange[]): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const [name, { format }] of Object.entries(configSchemaOf(provider.config).properties)) {
    const value = config[name];
    if (format !== 'uri' || typeof value !== 'string') continue;
    const { problem: wrong } = checkTargetUrl(value, ranges);
    if (wrong !== null) details.push(problem(name, 'url', wrong));
  }
  return details;
}
