import type { ErrorDetail } from '../errors/api-error';

/** Constraint names of class-validator by the code the API reports; when several fail, the first row wins. */
const CODES: readonly [code: string, constraints: readonly string[]][] = [
  ['required', ['isDefined']],
  ['type', ['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject', 'isDate', 'isFlatObject', 'isTags']],
  ['enum', ['isIn', 'isEnum']],
  ['min', ['min', 'minLength', 'arrayMinSize', 'isPositive', 'isNotEmpty', 'isNotBlank', 'arrayNotEmpty', 'minDate']],
  ['max', ['max', 'maxLength', 'arrayMaxSize', 'maxDate', 'maxFlatObject', 'maxTags']],
  ['duplicate', ['arrayUnique']],
];

/** A rule that does not hold. */
export interface Failure {
  /** Its name at class-validator. */
  name: string;
  message: string;
  constraints: readonly unknown[];
  /** What the decorator was given as `context`. */
  context?: unknown;
}

/** What a validator may add through class-validator's `context` option. */
interface ConstraintContext {
  code?: string;
  allowed?: readonly (string | number)[];
}

/** The one detail of a member that breaks these rules. `property` is its name, `field` where it stands. */
export function detailOf(field: string, property: string, value: unknown, failures: readonly Failure[]): ErrorDetail {
  const failure = worst(failures);
  const context = (failure?.context ?? {}) as ConstraintContext;
  const code = context.code ?? codeOf(failure?.name ?? '', value);
  if (code === 'required' && context.code === undefined) return absentMember(field);
  const allowed = context.allowed ?? (code === 'enum' ? choices(failures) : undefined);
  const message = placed(failure?.message ?? '', property, field);
  return { field, code, message, ...(allowed ? { allowed } : {}) };
}

/** The detail of a member that is not there. */
export function absentMember(field: string): ErrorDetail {
  return { field, code: 'required', message: `${field} is required` };
}

/** The detail of a member that its object does not have. */
export function unknownMember(field: string, allowed: readonly string[]): ErrorDetail {
  return { field, code: 'unknown_field', message: `${field} is not a field of this request`, allowed };
}

/** Validators speak of the property alone; says where it is. */
function placed(message: string, property: string, field: string): string {
  return message.startsWith(property) ? field + message.slice(property.length) : message;
}

function worst(failures: readonly Failure[]): Failure | undefined {
  for (const [, known] of CODES) {
    const found = failures.find(({ name }) => known.includes(name));
    if (found) return found;
  }
  return failures[0];
}

function codeOf(constraint: string, value: unknown): string {
  if (value === undefined) return 'required';
  if (value === null) return 'type';
  return CODES.find(([, constraints]) => constraints.includes(constraint))?.[0] ?? 'format';
}

/** The closed list behind `@IsIn()` or `@IsEnum()`. */
function choices(failures: readonly Failure[]): readonly (string | number)[] | undefined {
  const closed = failures.find(({ name }) => name === 'isIn' || name === 'isEnum');
  const list = closed?.constraints[closed.name === 'isEnum' ? 1 : 0];
  return Array.isArray(list) ? (list as (string | number)[]) : undefined;
}
