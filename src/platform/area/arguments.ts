import { isEmail } from 'class-validator';
import { flatObjectSchema, flatProblem, tagsProblem } from '../columns/column-validators';
import { normaliseTags } from '../columns/column-spec';
import { isTemplate } from '../conditions/template';
import { MAX_ADDRESS } from '../mail/mail-address';
import { isReservedHeader } from '../outbound/outbound-result';
import { MAX_URL } from '../outbound/target-url';
import { isOneOf, isRecord } from '../text/json';
import { type ArgumentWords, checkedBy, IsArgument, type Wrong } from './argument';
import { isLonger } from '../text/normalise';

const text = { type: 'string' };
const id = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const NO_TEXT: Wrong = { code: 'type', problem: 'must be a string' };

/** Text with variables. */
export function TemplateArgument({ max, ...words }: ArgumentWords & { max: number }): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'template', max, ...words },
    ...checkedBy({ ...text, minLength: 1, maxLength: max, pattern: '\\S' }, (value) => {
      if (typeof value !== 'string') return NO_TEXT;
      if (value.trim() === '') return { code: 'min', problem: 'must not be empty' };
      return isLonger(value, max) ? { code: 'max', problem: `must have at most ${max} characters` } : null;
    }),
    templates: textsIn,
  });
}

/** An object, or text that is JSON once its variables, which stand inside strings, are filled in. */
export function JsonArgument({ max, ...words }: ArgumentWords & { max: number }): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'json_template', max, ...words },
    ...checkedBy({ type: ['object', 'array', 'string'], items: {}, additionalProperties: true }, (value) => {
      const isText = typeof value === 'string';
      if (isLonger(isText ? value : JSON.stringify(value), max))
        return { code: 'max', problem: `must have at most ${max} characters` };
      if (isText && !parses(value.replaceAll(/\{\{[^{}]*\}\}/g, 'x')))
        return { code: 'format', problem: 'must be JSON; variables stand inside its strings' };
      const fits = isText || (typeof value === 'object' && value !== null);
      return fits ? null : { code: 'type', problem: 'must be an object or JSON text' };
    }),
    templates: textsIn,
  });
}

/** One of a closed list. */
export function EnumArgument(values: readonly string[], words: ArgumentWords): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'enum', values, ...words },
    ...checkedBy({ ...text, enum: [...values] }, (value) =>
      isOneOf<unknown>(values, value)
        ? null
        : { code: 'enum', problem: `must be one of ${values.join(', ')}`, allowed: values },
    ),
  });
}

export function FlagArgument(words: ArgumentWords): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'boolean', ...words },
    ...checkedBy({ type: 'boolean' }, (value) =>
      typeof value === 'boolean' ? null : { code: 'type', problem: 'must be true or false' },
    ),
  });
}

/** The id of a record of a resource, which must exist. */
export function RecordArgument(references: string, words: ArgumentWords): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'reference', references, ...words },
    ...checkedBy(id, (value) => (isId(value) ? null : { code: 'type', problem: 'must be an id' })),
  });
}

/** Ids of such records. */
export function RecordsArgument(
  references: string,
  { max, ...words }: ArgumentWords & { max: number },
): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'references', references, max, ...words },
    ...checkedBy({ type: 'array', minItems: 1, maxItems: max, items: id }, (value) =>
      isListOf(value, max, isId) ? null : { code: 'type', problem: `must be an array of 1 to ${max} ids` },
    ),
    stored: (value) => (Array.isArray(value) ? [...new Set<unknown>(value)] : value),
  });
}

/** Tags; kept comma-separated. */
export function TagsArgument(words: ArgumentWords): PropertyDecorator {
  const list = { type: 'array', minItems: 1, maxItems: 50, items: { ...text, maxLength: 50 } };
  return IsArgument({
    spec: { kind: 'tags', ...words },
    ...checkedBy({ anyOf: [{ ...text, minLength: 1 }, list] }, (value) => {
      const wrong = tagsProblem(value);
      if (wrong !== null) return wrong;
      return normaliseTags(textsIn(value)) === '' ? { code: 'min', problem: 'must name a tag' } : null;
    }),
    stored: (value) => normaliseTags(textsIn(value)),
  });
}

/** Who a mail goes to: `requester`, `assignee`, or addresses. */
export function RecipientsArgument({ max, ...words }: ArgumentWords & { max: number }): PropertyDecorator {
  const roles = ['requester', 'assignee'];
  const address = { ...text, format: 'email' };
  const listed = { type: 'array', minItems: 1, maxItems: max, items: address };
  return IsArgument({
    spec: { kind: 'recipients', max, ...words },
    ...checkedBy({ anyOf: [{ ...text, enum: roles }, address, listed] }, (value) =>
      isOneOf<unknown>(roles, value) || isListOf(Array.isArray(value) ? value : [value], max, isEmail)
        ? null
        : { code: 'format', problem: `must be "requester", "assignee" or 1 to ${max} e-mail addresses` },
    ),
    stored: (value) =>
      isOneOf<unknown>(roles, value) ? value : [...new Set(textsIn(value).map((item) => item.toLowerCase()))],
  });
}

/** One mail address, or a template that yields one. */
export function AddressArgument(words: ArgumentWords): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'email_template', ...words },
    ...checkedBy({ ...text, minLength: 1, maxLength: MAX_ADDRESS }, (value) => {
      if (typeof value !== 'string') return NO_TEXT;
      if (isTemplate(value)) return isLonger(value, MAX_ADDRESS) ? { code: 'max', problem: 'is too long' } : null;
      return isEmail(value) ? null : { code: 'format', problem: 'must be an e-mail address' };
    }),
    stored: (value) => (typeof value === 'string' && !isTemplate(value) ? value.toLowerCase() : value),
    templates: (value) => textsIn(value).filter(isTemplate),
  });
}

/** An address to call: public, or in a range that the operator allows. */
export function UrlArgument(words: ArgumentWords): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'url', ...words },
    ...checkedBy({ ...text, format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', maxLength: MAX_URL }, (value) =>
      typeof value === 'string' ? null : NO_TEXT,
    ),
  });
}

/** Headers of a call, name to value. */
export function HeadersArgument({ max, ...words }: ArgumentWords & { max: number }): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'headers', max, ...words },
    ...checkedBy(
      {
        type: 'object',
        maxProperties: max,
        propertyNames: { pattern: HEADER_NAME.source },
        additionalProperties: { ...text, maxLength: MAX_HEADER },
      },
      (value) => headersWrong(value, max),
    ),
  });
}

/** A flat object; its texts may hold variables. */
export function CustomFieldsArgument(words: ArgumentWords): PropertyDecorator {
  return IsArgument({
    spec: { kind: 'custom_fields', ...words },
    ...checkedBy(flatObjectSchema, flatProblem),
    templates: textsIn,
  });
}

const HEADER_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const MAX_HEADER = 1_024;
const OURS = /^(x-service-.*|webhook-.*|content-.*|user-agent|accept|date|host)$/i;

function headersWrong(value: unknown, max: number): Wrong | null {
  if (!isRecord(value)) return { code: 'type', problem: 'must be an object of texts' };
  const entries = Object.entries(value);
  if (entries.length > max) return { code: 'max', problem: `must have at most ${max} headers` };
  const seen = new Set<string>();
  for (const [name, content] of entries) {
    const shown = JSON.stringify(name.slice(0, 64));
    if (!HEADER_NAME.test(name)) return { code: 'format', problem: `must not name a header ${shown}` };
    if (isReservedHeader(name) || OURS.test(name))
      return { code: 'format', problem: `must not set ${shown}: the service does` };
    if (seen.has(name.toLowerCase())) return { code: 'duplicate', problem: `must not name ${shown} twice` };
    seen.add(name.toLowerCase());
    // No control characters, so no line breaks: a value cannot smuggle in a header of its own.
    if (typeof content !== 'string' || !/^[\x20-\x7e]*$/.test(content) || content.length > MAX_HEADER)
      return {
        code: 'format',
        problem: `must give ${shown} a text of at most ${MAX_HEADER} printable ASCII characters`,
      };
  }
  return null;
}

/** Every text in a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function isListOf(value: unknown, max: number, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.length <= max && value.every(fits);
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
