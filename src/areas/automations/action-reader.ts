import { type Argument, argumentsOf } from '../../platform/area/argument';
import { type Action, ON_ERROR, type RuleAction } from '../../platform/area/rules';
import { keep, note } from '../../platform/conditions/check-conditions';
import { checkValue } from '../../platform/conditions/check-value';
import type { FieldSet } from '../../platform/conditions/field-set';
import { parseRelativeDate } from '../../platform/conditions/relative-date';
import { checkTemplate, isTemplate } from '../../platform/conditions/template';
import type { ErrorDetail } from '../../platform/errors/api-error';
import { type FieldDefinition, fieldPath } from '../../platform/fields/field-definition';
import { checkFieldValue } from '../../platform/fields/field-value';
import type { AddressRange } from '../../platform/outbound/addresses';
import { resourceIfAny } from '../../platform/resource/resource';
import { checkTargetUrl } from '../../platform/outbound/target-url';
import { isOneOf, isRecord } from '../../platform/text/json';
import { findInClass } from '../../platform/validation/class-check';
import { actionSpec } from './action-catalogue';
import { isSettable } from './action-parameters';

/** An id that an action names, to be looked up. */
export interface NamedRecord {
  path: string;
  resource: string;
  id: number;
}

/** What actions are read with. */
export interface ActionReading {
  /** Types that can be performed here. */
  available: readonly string[];
  /** Variables of templates. */
  variables: FieldSet;
  /** Fields of tickets, and the custom ones that are defined. */
  fields: FieldSet;
  defined: readonly FieldDefinition[];
  /** Ranges that calls may reach besides public addresses. */
  ranges: readonly AddressRange[];
  problems: ErrorDetail[];
  /** Collects the ids that the actions name. */
  named: NamedRecord[];
}

const COMMON = ['type', 'on_error'];

/** Brings actions from a body into stored form, adding what is wrong to `problems`. */
export function readActions(path: string, input: readonly unknown[], reading: ActionReading): Action[] {
  return input.map((action, index) => readAction(`${path}[${index}]`, action, reading));
}

function readAction(path: string, input: unknown, reading: ActionReading): Action {
  const { available, problems } = reading;
  const nothing: Action = { type: '' };
  if (!isRecord(input)) {
    note(problems, path, 'type', 'must be an object with "type"');
    return nothing;
  }
  const { type, on_error: onError } = input;
  const spec = typeof type === 'string' && available.includes(type) ? actionSpec(type) : undefined;
  if (typeof type !== 'string' || !spec) {
    note(
      problems,
      `${path}.type`,
      type === undefined ? 'required' : 'enum',
      `must be one of ${available.join(', ')}`,
      available,
    );
    return nothing;
  }
  const common = isOneOf(ON_ERROR, onError) ? { on_error: onError } : {};
  if (onError !== undefined && !isOneOf(ON_ERROR, onError))
    note(problems, `${path}.on_error`, 'enum', `must be one of ${ON_ERROR.join(', ')}`, ON_ERROR);
  const takes = argumentsOf(spec.parameters);
  const known = [...takes.keys(), ...COMMON];
  for (const name of Object.keys(input).filter((key) => !known.includes(key)))
    note(problems, `${path}.${name.slice(0, 80)}`, 'unknown_field', `is not a parameter of ${type}`, known);
  requireOne(path, spec, input, problems);
  const given = Object.fromEntries(Object.entries(input).filter(([name]) => takes.has(name)));
  const found: ErrorDetail[] = [];
  if (spec.parameters) findInClass(given, spec.parameters, path, found);
  keep(problems, found);
  const wrong = new Set(found.map(({ field }) => field));
  const action: Action = { type };
  for (const [name, argument] of takes) {
    if (given[name] === undefined || wrong.has(`${path}.${name}`)) continue;
    const value = readArgument(`${path}.${name}`, argument, given[name], given, reading);
    if (value !== undefined) action[name] = value;
  }
  return { ...action, ...common };
}

function requireOne(
  path: string,
  { oneOf }: RuleAction,
  given: Record<string, unknown>,
  problems: ErrorDetail[],
): void {
  if (!oneOf) return;
  const found = oneOf.filter((name) => given[name] !== undefined);
  if (found.length === 1) return;
  const code = found.length === 0 ? 'required' : 'conflict';
  note(problems, `${path}.${found[1] ?? oneOf[0] ?? ''}`, code, `: give exactly one of ${oneOf.join(', ')}`, oneOf);
}

/** An argument that is right by itself: what it names, and the form in which it is kept. */
function readArgument(
  path: string,
  { spec, stored, templates }: Argument,
  value: unknown,
  action: Record<string, unknown>,
  reading: ActionReading,
): unknown {
  const { problems, variables, ranges, named } = reading;
  const { kind, references } = spec;
  if (kind === 'field_value') return readFieldValue(path, action.field, value, reading);
  if (kind === 'url') {
    const { problem } = checkTargetUrl(String(value), ranges);
    if (problem !== null) note(problems, path, 'format', problem);
  }
  for (const text of templates?.(value) ?? []) checkTemplate(path, text, variables, problems);
  const kept = stored ? stored(value) : value;
  if (references !== undefined) {
    const ids: unknown[] = [kept].flat();
    for (const id of ids) if (typeof id === 'number') named.push({ path, resource: references, id });
  }
  return kept;
}

/** A value for the field that the action names; an unknown field is reported as such, not here. */
function readFieldValue(path: string, field: unknown, value: unknown, reading: ActionReading): unknown {
  const { problems, variables, fields, defined, named } = reading;
  if (!isSettable(field)) return undefined;
  const definition = defined.find((each) => fieldPath(each) === field);
  if (definition) return readDefinedValue(path, definition, value, reading);
  const spec = fields.get(field);
  const isCustom = field.startsWith('custom_fields.');
  if (!spec || (isCustom && value === null)) return value;
  if (typeof value === 'string') {
    if ((spec.type === 'timestamp' || isCustom) && parseRelativeDate(value)) return value;
    if (spec.type === 'text' || isCustom) checkTemplate(path, value, variables, problems);
  }
  const isNullable = resourceIfAny('tickets')?.column.get(field)?.nullable ?? false;
  const checked = checkValue(isNullable ? 'one_or_null' : 'one', spec, value, false);
  if (!checked.ok) {
    note(problems, path, checked.code, checked.problem, checked.allowed);
    return undefined;
  }
  if (field === 'subject' && String(value).trim() === '') note(problems, path, 'min', 'must not be empty');
  if (spec.references !== undefined && typeof checked.value === 'number')
    named.push({ path, resource: spec.references, id: checked.value });
  return checked.value;
}

/** A value of a custom field that is defined. What a template comes to is judged when the rule runs. */
function readDefinedValue(
  path: string,
  definition: FieldDefinition,
  value: unknown,
  { problems, variables, named }: ActionReading,
): unknown {
  if (value === null) {
    if (definition.is_required) note(problems, path, 'required', 'cannot be emptied');
    return null;
  }
  if (typeof value === 'string' && isTemplate(value)) {
    checkTemplate(path, value, variables, problems);
    return value;
  }
  if (typeof value === 'string' && definition.type === 'date' && parseRelativeDate(value)) return value;
  const checked = checkFieldValue(definition, value);
  if (!checked.ok) {
    note(problems, path, checked.code, checked.problem, checked.allowed);
    return undefined;
  }
  if (definition.target !== null && typeof checked.value === 'number')
    named.push({ path, resource: definition.target, id: checked.value });
  return Array.isArray(checked.value) ? checked.value.join(',') : checked.value;
}
