import { getMetadataStorage, type ValidationError } from 'class-validator';
import { ApiError, type ErrorDetail } from '../errors/api-error';

/** Constraint names of class-validator by the code the API reports; when several fail, the first row wins. */
const CODES: readonly [code: string, constraints: readonly string[]][] = [
  ['required', ['isDefined']],
  ['unknown_field', ['whitelistValidation']],
  [
    'type',
    ['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject', 'isDate', 'isFlatObject', 'nestedValidation'],
  ],
  ['enum', ['isIn', 'isEnum']],
  ['min', ['min', 'minLength', 'arrayMinSize', 'isPositive', 'isNotEmpty', 'isNotBlank', 'arrayNotEmpty', 'minDate']],
  ['max', ['max', 'maxLength', 'arrayMaxSize', 'maxDate']],
  ['duplicate', ['arrayUnique']],
];

/** What a validator may add through class-validator's `context` option. */
interface ConstraintContext {
  code?: string;
  allowed?: readonly (string | number)[];
}

/** One detail per wrong field, nested fields as dotted paths (`operations.0.subject`). */
export function problemsOf(errors: readonly ValidationError[], parent = ''): ErrorDetail[] {
  return errors.flatMap((error) => {
    const field = parent === '' ? error.property : `${parent}.${error.property}`;
    const own = error.constraints ? ownProblems(field, error) : [];
    return [...own, ...problemsOf(error.children ?? [], field)];
  });
}

/** What could not be read at all brings its own words. */
function ownProblems(field: string, error: ValidationError): readonly ErrorDetail[] {
  return error.value instanceof ApiError ? (error.value.extras.details ?? []) : [detail(field, error)];
}

function detail(field: string, error: ValidationError): ErrorDetail {
  const constraints = error.constraints ?? {};
  const name = worst(constraints);
  const context = (error.contexts?.[name] ?? {}) as ConstraintContext;
  const code = context.code ?? codeOf(name, error.value);
  const allowed = context.allowed ?? (code === 'enum' ? choices(error) : undefined);
  return {
    field,
    code,
    message: message(code, field, error.property, constraints[name] ?? ''),
    ...(allowed ? { allowed } : {}),
  };
}

function message(code: string, field: string, property: string, original: string): string {
  if (code === 'required') return `${field} is required`;
  if (code === 'unknown_field') return `${field} is not a field of this request`;
  // Validators speak of the property alone; say where it is.
  return original.startsWith(property) ? field + original.slice(property.length) : original;
}

function worst(constraints: Readonly<Record<string, string>>): string {
  const names = Object.keys(constraints);
  for (const [, known] of CODES) {
    const found = names.find((name) => known.includes(name));
    if (found !== undefined) return found;
  }
  return names[0] ?? '';
}

function codeOf(constraint: string, value: unknown): string {
  if (value === undefined) return 'required';
  if (value === null) return 'type';
  return CODES.find(([, constraints]) => constraints.includes(constraint))?.[0] ?? 'format';
}

/** The closed list behind `@IsIn()` or `@IsEnum()`. */
function choices(error: ValidationError): readonly (string | number)[] | undefined {
  const target = error.target?.constructor;
  if (!target) return undefined;
  const rule = getMetadataStorage()
    .getTargetValidationMetadatas(target, '', true, false)
    .find(
      (candidate) => candidate.propertyName === error.property && ['isIn', 'isEnum'].includes(candidate.name ?? ''),
    );
  const list = rule?.constraints[rule.name === 'isEnum' ? 1 : 0] as unknown;
  return Array.isArray(list) ? (list as (string | number)[]) : undefined;
}
