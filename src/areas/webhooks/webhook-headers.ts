import { ValidateBy } from 'class-validator';
import { isReservedHeader } from '../../platform/outbound/outbound-result';

/** Header names and values of the subscriber's own. */
export type HeaderMap = Record<string, string>;

/** Stands for a value in answers. Sent back, it keeps the stored value. */
export const HIDDEN = '***';

const MAX_HEADERS = 20;
const MAX_NAME = 64;
const MAX_VALUE = 1_024;
const NAME = /^[A-Za-z][A-Za-z0-9_.-]*$/;
/** No control characters, so no line breaks: a value cannot smuggle in a header of its own. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Set by the service; the subscriber's would contradict them. */
const OURS = /^(x-service-.*|webhook-.*|content-.*|user-agent|accept|date)$/i;

/** What the OpenAPI document says of custom headers. */
export const headersSchema = {
  type: 'object',
  maxProperties: MAX_HEADERS,
  propertyNames: { maxLength: MAX_NAME, pattern: NAME.source },
  additionalProperties: { type: 'string', maxLength: MAX_VALUE, pattern: PRINTABLE.source },
} as const;

/** What is wrong with custom headers; null when they can be sent. */
export function headersProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object of texts';
  const entries = Object.entries(value);
  if (entries.length > MAX_HEADERS) return `must have at most ${MAX_HEADERS} headers`;
  const seen = new Set<string>();
  for (const [name, content] of entries) {
    const shown = JSON.stringify(name.slice(0, MAX_NAME));
    if (!NAME.test(name) || name.length > MAX_NAME) return `must not name a header ${shown}`;
    if (isReservedHeader(name) || OURS.test(name)) return `must not set ${shown}: the service does`;
    if (seen.has(name.toLowerCase())) return `must not name ${shown} twice`;
    seen.add(name.toLowerCase());
    if (typeof content !== 'string' || !PRINTABLE.test(content) || content.length > MAX_VALUE) {
      return `must give ${shown} a text of at most ${MAX_VALUE} printable ASCII characters`;
    }
  }
  return null;
}

export function IsHeaderMap(): PropertyDecorator {
  return ValidateBy({
    name: 'isHeaderMap',
    validator: {
      validate: (value: unknown) => headersProblem(value) === null,
      defaultMessage: (args) => `${args?.property ?? 'headers'} ${headersProblem(args?.value) ?? ''}`,
    },
  });
}

/** The same names, the values hidden. */
export function hidden(headers: HeaderMap): HeaderMap {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
}

/** Names of those whose stored values would stay. */
export function keptOf(given: HeaderMap, stored: HeaderMap): string[] {
  const known = new Set(Object.keys(stored).map((name) => name.toLowerCase()));
  return Object.keys(given).filter((name) => given[name] === HIDDEN && known.has(name.toLowerCase()));
}

/** What is to be stored: hidden values stand for the stored ones, whatever the case of their names. */
export function revealed(given: HeaderMap, stored: HeaderMap): HeaderMap {
  const known = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value === HIDDEN ? (known.get(name.toLowerCase()) ?? value) : value,
    ]),
  );
}
