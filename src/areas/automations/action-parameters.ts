import { isEmail } from 'class-validator';
import type { ParameterSpec } from '../../platform/area/rules';
import { normaliseTags } from '../../platform/columns/column-spec';
import { flatProblem, tagsProblem } from '../../platform/columns/column-validators';
import { isTemplate } from '../../platform/conditions/template';
import type { AddressRange } from '../../platform/outbound/addresses';
import { isReservedHeader } from '../../platform/outbound/outbound-result';
import { checkTargetUrl } from '../../platform/outbound/target-url';
import { isOneOf } from '../../platform/text/json';
import { type ParameterKind, SETTABLE_FIELDS } from './action-catalogue';

/** A parameter in stored form, with the templates in it; or what is wrong. */
export type ParameterCheck =
  { value: unknown; templates?: readonly string[] } | { code: string; problem: string; allowed?: readonly string[] };

type Check = (value: unknown, spec: ParameterSpec<string>, allowed: readonly AddressRange[]) => ParameterCheck;

const OURS = /^(x-service-.*|webhook-.*|content-.*|user-agent|accept|date|host)$/i;
const MAX_HEADER = 1_024;

/** How each kind of parameter is checked; `field_value` depends on its neighbour and is checked where both are at hand. */
const CHECKS: Readonly<Record<Exclude<ParameterKind, 'field_value'>, Check>> = {
  template: text,
  json_template: jsonTemplate,
  enum: (value, { values = [] }) =>
    isOneOf(values, value)
      ? { value }
      : { code: 'enum', problem: `must be one of ${values.join(', ')}`, allowed: values },
  boolean: (value) => (typeof value === 'boolean' ? { value } : wrong('type', 'must be true or false')),
  reference: (value) => (isId(value) ? { value } : wrong('type', 'must be an id')),
  references: (value, { max = 100 }) =>
    Array.isArray(value) && value.length > 0 && value.length <= max && value.every(isId)
      ? { value: [...new Set(value)] }
      : wrong('type', `must be an array of 1 to ${max} ids`),
  tags,
  ticket_field: (value) =>
    typeof value === 'string' && isSettable(value)
      ? { value }
      : {
          code: 'enum',
          problem: 'names no field that automations set',
          allowed: [...SETTABLE_FIELDS, 'custom_fields.<key>'],
        },
  recipients,
  email_template: (value) => {
    if (typeof value !== 'string') return wrong('type', 'must be a string');
    if (isTemplate(value)) return value.length <= 254 ? { value, templates: [value] } : wrong('max', 'is too long');
    return isEmail(value) ? { value: value.toLowerCase() } : wrong('format', 'must be an e-mail address');
  },
  url: (value, _spec, allowed) => {
    if (typeof value !== 'string') return wrong('type', 'must be a string');
    const { problem } = checkTargetUrl(value, allowed);
    return problem === null ? { value } : wrong('format', problem);
  },
  headers,
  custom_fields: (value) => {
    const problem = flatProblem(value);
    return problem === null ? { value, templates: texts(value) } : wrong('type', problem);
  },
};

const byKind: ReadonlyMap<string, Check> = new Map(Object.entries(CHECKS));

/** How a parameter is checked. @throws Error when its kind is none that there is */
export function checkOf({ kind }: ParameterSpec<string>): Check {
  const check = byKind.get(kind);
  if (!check) throw new Error(`There is no kind of parameter "${kind}".`);
  return check;
}

/** Whether rules may set this field of a ticket. */
export function isSettable(field: string): boolean {
  return isOneOf(SETTABLE_FIELDS, field) || /^custom_fields\..{1,64}$/s.test(field);
}

function text(value: unknown, { max = 1_000 }: ParameterSpec<string>): ParameterCheck {
  if (typeof value !== 'string') return wrong('type', 'must be a string');
  if (value.trim() === '') return wrong('min', 'must not be empty');
  return value.length > max ? wrong('max', `must have at most ${max} characters`) : { value, templates: [value] };
}

/** An object is JSON already; a text must be JSON once its variables, which stand inside strings, are filled in. */
function jsonTemplate(value: unknown, { max = 65_536 }: ParameterSpec<string>): ParameterCheck {
  const size = typeof value === 'string' ? value.length : JSON.stringify(value).length;
  if (size > max) return wrong('max', `must have at most ${max} characters`);
  if (typeof value === 'string') {
    if (parses(value.replaceAll(/\{\{[^{}]*\}\}/g, 'x'))) return { value, templates: [value] };
    return wrong('format', 'must be JSON; variables stand inside its strings');
  }
  return typeof value === 'object' && value !== null
    ? { value, templates: texts(value) }
    : wrong('type', 'must be an object or JSON text');
}

function tags(value: unknown): ParameterCheck {
  const problem = tagsProblem(value);
  if (problem !== null) return wrong('type', problem);
  const normal = normaliseTags(texts(value));
  return normal === '' ? wrong('min', 'must name a tag') : { value: normal };
}

function recipients(value: unknown, { max = 20 }: ParameterSpec<string>): ParameterCheck {
  if (value === 'requester' || value === 'assignee') return { value };
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const addresses = list.filter((item) => typeof item === 'string').filter((item) => isEmail(item));
  return list.length > 0 && list.length <= max && addresses.length === list.length
    ? { value: [...new Set(addresses.map((item) => item.toLowerCase()))] }
    : wrong('format', `must be "requester", "assignee" or 1 to ${max} e-mail addresses`);
}

function headers(value: unknown, { max = 20 }: ParameterSpec<string>): ParameterCheck {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrong('type', 'must be an object of texts');
  const entries = Object.entries(value);
  if (entries.length > max) return wrong('max', `must have at most ${max} headers`);
  const seen = new Set<string>();
  for (const [name, content] of entries) {
    const shown = JSON.stringify(name.slice(0, 64));
    if (!/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(name)) return wrong('format', `must not name a header ${shown}`);
    if (isReservedHeader(name) || OURS.test(name)) return wrong('format', `must not set ${shown}: the service does`);
    if (seen.has(name.toLowerCase())) return wrong('duplicate', `must not name ${shown} twice`);
    seen.add(name.toLowerCase());
    // No control characters, so no line breaks: a value cannot smuggle in a header of its own.
    if (typeof content !== 'string' || !/^[\x20-\x7e]*$/.test(content) || content.length > MAX_HEADER)
      return wrong('format', `must give ${shown} a text of at most ${MAX_HEADER} printable ASCII characters`);
  }
  return { value };
}

/** Every text in a JSON value. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function wrong(code: string, problem: string): ParameterCheck {
  return { code, problem };
}
