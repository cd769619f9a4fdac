import type { ErrorDetail } from '../errors/api-error';
import { MAX_KEYS, tooManyKeys } from '../columns/column-validators';
import { isBlank } from '../columns/not-blank';
import { canonical } from '../text/json';
import { type FieldDefinition, fieldPath, isNothing } from './field-definition';
import { checkFieldValue } from './field-value';

export type Fields = Readonly<Record<string, unknown>>;

const settled = new WeakSet<Fields>();

/**
 * Says that values are stored as they are, whatever is defined: they were found right, or go from one record to another (a merge, a
 * revision), which a definition that came later must not stop. It knows the object, not what is in it.
 */
export function asTheyAre<F extends Fields>(fields: F): F {
  settled.add(fields);
  return fields;
}

export function areSettled(fields: Fields): boolean {
  return settled.has(fields);
}

/** A record that a value names. */
export interface NamedRecord {
  field: string;
  resource: string;
  id: number;
}

/** What becomes of the `custom_fields` of a record. */
export interface Settled {
  fields: Record<string, unknown>;
  /** Everything that is wrong. */
  problems: ErrorDetail[];
  /** Must exist. */
  named: NamedRecord[];
}

/**
 * `custom_fields` as they are stored. Keys that nobody has defined stay as they are, and so do values that the record has already:
 * a definition binds what is written after it.
 *
 * @param before what the record has; null for a new one, which takes the defaults
 * @param demands whether a new record must have what is required; a change must leave it where it is, in any case
 */
export function settleFields(
  definitions: readonly FieldDefinition[],
  before: Fields | null,
  given: Fields,
  demands: boolean,
): Settled {
  const fields = new Map(Object.entries(given));
  const problems: ErrorDetail[] = [];
  const named: NamedRecord[] = [];
  for (const definition of definitions) {
    const { key, target } = definition;
    const field = fieldPath(definition);
    const was: unknown = before && Object.hasOwn(before, key) ? before[key] : undefined;
    if (before === null && !fields.has(key) && !isNothing(definition.default_value))
      fields.set(key, definition.default_value);
    const value = fields.get(key);
    if (isNothing(value) || (definition.is_required && value !== was && isBlankText(value))) {
      fields.delete(key);
      const isMissing = before === null ? demands : !isNothing(was);
      if (definition.is_required && isMissing)
        problems.push({ field, code: 'required', message: `${field} is required` });
      continue;
    }
    if (was !== undefined && canonical(was) === canonical(value)) continue;
    const checked = checkFieldValue(definition, value);
    if (!checked.ok) {
      const { code, problem, allowed } = checked;
      problems.push({ field, code, message: `${field} ${problem}`, ...(allowed ? { allowed } : {}) });
    } else {
      fields.set(key, checked.value);
      if (target !== null && typeof checked.value === 'number')
        named.push({ field, resource: target, id: checked.value });
    }
  }
  if (fields.size > MAX_KEYS)
    problems.push({
      field: 'custom_fields',
      code: tooManyKeys.code,
      message: `custom_fields ${tooManyKeys.problem}`,
    });
  return { fields: Object.fromEntries(fields), problems, named };
}

/** Whether a record is given an option that it did not have, by whom it is written or by default. */
export function choosesOption(definitions: readonly FieldDefinition[], before: Fields | null, given: Fields): boolean {
  return definitions.some(({ key, type, default_value }) => {
    if (type !== 'select' && type !== 'multi_select') return false;
    const value = Object.hasOwn(given, key) ? given[key] : before === null ? default_value : null;
    const was = before && Object.hasOwn(before, key) ? before[key] : null;
    return !isNothing(value) && canonical(value) !== canonical(was);
  });
}

/** What shows nothing is no value where one is required. */
function isBlankText(value: unknown): boolean {
  return typeof value === 'string' && isBlank(value);
}
