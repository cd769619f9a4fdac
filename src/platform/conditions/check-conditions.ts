import { type ErrorDetail, refuseProblems } from '../errors/api-error';
import { checkValue } from './check-value';
import { type Condition, type Conditions, MAX_CONDITIONS, MAX_DEPTH, type Node } from './condition';
import type { FieldSet } from './field-set';
import { OPERATORS, operatorsOf } from './operators';
import { MAX_PATTERNS } from '../text/pattern';

const MAX_PROBLEMS = 20;

/**
 * Checks conditions from a body and brings their values into stored form.
 *
 * @param path name of the field, for messages: `conditions`
 * @throws ApiError 422 naming everything that is wrong, with the allowed fields, operators and values
 */
export function checkConditions(path: string, input: unknown, fields: FieldSet): Conditions {
  const problems: ErrorDetail[] = [];
  const conditions = readConditions(path, input, fields, problems);
  refuseProblems(problems);
  return conditions;
}

/** The same, adding what is wrong to `problems` (at most 20 are kept). */
export function readConditions(path: string, input: unknown, fields: FieldSet, problems: ErrorDetail[]): Conditions {
  return new Reader(fields, problems).conditions(path, input);
}

/** Adds a problem while there is room for it. */
export function note(
  problems: ErrorDetail[],
  field: string,
  code: string,
  message: string,
  allowed?: readonly (string | number)[],
): void {
  if (problems.length >= MAX_PROBLEMS) return;
  problems.push({ field, code, message: `${field} ${message}`, ...(allowed ? { allowed } : {}) });
}

/** Adds problems that were found elsewhere while there is room for them. */
export function keep(problems: ErrorDetail[], found: readonly ErrorDetail[]): void {
  problems.push(...found.slice(0, Math.max(0, MAX_PROBLEMS - problems.length)));
}

class Reader {
  private count = 0;
  private patterns = 0;

  constructor(
    private readonly fields: FieldSet,
    private readonly problems: ErrorDetail[],
  ) {}

  conditions(path: string, input: unknown): Conditions {
    const found: Conditions = {};
    if (!isObject(input)) {
      note(this.problems, path, 'type', 'must be an object with "all" and "any"');
      return found;
    }
    for (const [key, members] of Object.entries(input)) {
      if (key !== 'all' && key !== 'any')
        note(this.problems, `${path}.${key.slice(0, 80)}`, 'unknown_field', 'is not part of conditions', [
          'all',
          'any',
        ]);
      else found[key] = this.members(`${path}.${key}`, members, 1, 0);
    }
    return found;
  }

  private members(path: string, input: unknown, depth: number, min: number): Node[] {
    if (!Array.isArray(input) || input.length < min) {
      note(this.problems, path, 'type', `must be an array of${min > 0 ? ' one or more' : ''} conditions`);
      return [];
    }
    if (input.length > MAX_CONDITIONS) {
      note(this.problems, path, 'max', `must have at most ${MAX_CONDITIONS} conditions`);
      return [];
    }
    return input.map((member, index) => this.node(`${path}[${index}]`, member, depth));
  }

  private node(path: string, input: unknown, depth: number): Node {
    const nothing: Node = { all: [] };
    if (!isObject(input)) {
      note(this.problems, path, 'type', 'must be {field, operator, value} or a group: {all}, {any} or {not}');
      return nothing;
    }
    const group = ['all', 'any', 'not'].find((key) => Object.hasOwn(input, key));
    if (group === undefined) return this.condition(path, input);
    if (Object.keys(input).length > 1) note(this.problems, path, 'conflict', `must have nothing beside "${group}"`);
    if (depth >= MAX_DEPTH) {
      note(this.problems, path, 'max_depth', `is nested too deeply; groups have at most ${MAX_DEPTH} levels`);
      return nothing;
    }
    if (group === 'not') return { not: this.node(`${path}.not`, input.not, depth + 1) };
    const members = this.members(`${path}.${group}`, input[group], depth + 1, 1);
    return group === 'all' ? { all: members } : { any: members };
  }

  private condition(path: string, input: Record<string, unknown>): Condition {
    if (++this.count === MAX_CONDITIONS + 1)
      note(this.problems, path, 'max', `is one too many; there are at most ${MAX_CONDITIONS} conditions`);
    for (const key of Object.keys(input).filter((name) => !['field', 'operator', 'value'].includes(name)))
      note(this.problems, `${path}.${key.slice(0, 80)}`, 'unknown_field', 'is not part of a condition', PARTS);
    const { field, operator, value } = input;
    const nothing = { field: '', operator: '' };
    const spec = typeof field === 'string' ? this.fields.get(field) : undefined;
    if (spec === undefined || typeof field !== 'string') {
      const code = field === undefined ? 'required' : 'unknown_field';
      const text = field === undefined ? 'is required' : 'names no field that conditions know';
      note(this.problems, `${path}.field`, code, text, this.fields.names());
      return nothing;
    }
    const allowed = operatorsOf(spec);
    if (typeof operator !== 'string' || !allowed.includes(operator)) {
      const code = operator === undefined ? 'required' : 'enum';
      note(this.problems, `${path}.operator`, code, `must be one of ${allowed.join(', ')} for ${field}`, allowed);
      return nothing;
    }
    return this.valued(path, { field, operator, value }, spec);
  }

  private valued(path: string, condition: Condition, spec: NonNullable<ReturnType<FieldSet['get']>>): Condition {
    const { field, operator, value } = condition;
    if (operator === 'matches' && ++this.patterns === MAX_PATTERNS + 1)
      note(this.problems, `${path}.operator`, 'max', `is one too many; there are at most ${MAX_PATTERNS} "matches"`);
    const shape = OPERATORS[operator]?.value ?? 'none';
    const checked = checkValue(shape, spec, value, /^([gl]te?|between)$/.test(operator));
    if (checked.ok)
      return checked.value === undefined ? { field, operator } : { field, operator, value: checked.value };
    const isMissing = value === undefined;
    note(this.problems, `${path}.value`, isMissing ? 'required' : checked.code, checked.problem, checked.allowed);
    return { field, operator };
  }
}

const PARTS = ['field', 'operator', 'value'];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
