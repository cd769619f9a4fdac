import type { ErrorDetail } from '../../platform/errors/api-error';
import { checkFieldValue } from '../../platform/fields/field-value';
import { allResources } from '../../platform/resource/resource';
import { hasFields } from '../../platform/resource/with-fields';
import { isInherited } from '../../platform/text/json';
import { patternProblem } from '../../platform/text/pattern';
import { type CustomField, type FieldDefault, isFieldDefault } from './custom-field.entity';

/** What of a field its rules look at. */
export type Defined = Pick<
  CustomField,
  | 'object'
  | 'key'
  | 'label'
  | 'description'
  | 'type'
  | 'options'
  | 'target'
  | 'is_required'
  | 'default_value'
  | 'pattern'
  | 'visible_to_customers'
>;

/** Kinds of records that can have custom fields, by their singular names. */
function definableObjects(): string[] {
  return allResources()
    .filter(hasFields)
    .map(({ singular }) => singular);
}

/** Everything that does not go together in a definition. */
export function definitionProblems(field: Defined): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const note = (name: string, code: string, message: string, allowed?: readonly string[]): void =>
    void problems.push({ field: name, code, message: `${name} ${message}`, ...(allowed ? { allowed } : {}) });
  const objects = definableObjects();
  if (!objects.includes(field.object)) note('object', 'enum', `must be one of ${objects.join(', ')}`, objects);
  // No body may have it as a name.
  if (isInherited(field.key)) note('key', 'invalid', `cannot be "${field.key}"`);
  const chooses = field.type === 'select' || field.type === 'multi_select';
  if (chooses && field.options.length === 0) note('options', 'required', 'must have at least one option');
  if (!chooses && field.options.length > 0)
    note('options', 'invalid', `are of select and multi_select, not of ${field.type}`);
  const values = field.options.map(({ value }) => value);
  const twice = values.find((value, index) => values.indexOf(value) < index);
  if (twice !== undefined) note('options', 'duplicate', `have "${twice}" twice`);
  // In lists it says that there is no value.
  if (values.includes('none')) note('options', 'invalid', 'cannot have the value "none"');
  noteReference(field, note);
  if (field.pattern !== null) {
    const problem = field.type === 'text' ? patternProblem(field.pattern) : `is of text, not of ${field.type}`;
    if (problem !== null) note('pattern', field.type === 'text' ? 'format' : 'invalid', problem);
  }
  if (problems.length === 0) noteDefault(field, note);
  return problems;
}

type Note = (name: string, code: string, message: string, allowed?: readonly string[]) => void;

function noteReference({ type, target }: Defined, note: Note): void {
  if (type !== 'reference') {
    if (target !== null) note('target', 'invalid', `is of reference, not of ${type}`);
    return;
  }
  const names = allResources().flatMap(({ name, notice }) => (notice ? [name] : []));
  if (target === null) note('target', 'required', 'is required of a reference', names);
  else if (!names.includes(target)) note('target', 'enum', `must be one of ${names.join(', ')}`, names);
}

function noteDefault(field: Defined, note: Note): void {
  if (field.default_value === null) return;
  const checked = checkFieldValue(field, field.default_value);
  if (field.type === 'reference') note('default_value', 'invalid', 'is not of a reference');
  else if (!checked.ok) note('default_value', checked.code, checked.problem, checked.allowed);
}

/** The default as new records have it. */
export function storedDefault(field: Defined): FieldDefault {
  if (field.default_value === null) return null;
  const checked = checkFieldValue(field, field.default_value);
  return checked.ok && isFieldDefault(checked.value) ? checked.value : null;
}

/** Values of options that are no longer there. */
export function removedOptions(before: Pick<Defined, 'options'>, after: Pick<Defined, 'options'>): string[] {
  const left = new Set(after.options.map(({ value }) => value));
  return before.options.map(({ value }) => value).filter((value) => !left.has(value));
}
