import { currentWorkspaceId } from '../context/current';
import { invalid } from '../errors/api-error';
import { type Bind, COMPARISONS, type FilterSpec } from '../query/filters';
import { flag, idOf, idOr, items as itemsOf, MAX_VALUES, me, type ParameterSchema, several } from '../query/values';
import { isDay } from '../time/iso-time';
import type { FieldDefinition, FieldType } from './field-definition';
import { numberOf } from './field-value';

/** Any of some values, `none` among them; or a bound. */
type Wanted = { values: unknown[]; none: boolean } | { operator: string; bound: number | string };

const NONE = { type: 'string', enum: ['none'] };
const BOUND = /^(gt|gte|lt|lte):(.+)$/s;
const number = { type: 'number' };
const day = { type: 'string', format: 'date' };

/** What one value of a field is as the text of a parameter. */
const VALUES: Readonly<
  Record<
    FieldType,
    {
      parse: (item: string, name: string, field: FieldDefinition) => unknown;
      schema: (field: FieldDefinition) => ParameterSchema;
      description: string;
    }
  >
> = {
  text: {
    parse: (item) => item,
    schema: () => ({ type: 'string', minLength: 1 }),
    description: 'Any of these exact values',
  },
  number: { parse: readNumber, schema: () => number, description: 'Any of these numbers' },
  boolean: {
    parse: flag,
    schema: () => ({ type: 'boolean' }),
    description: '`true` or `false`',
  },
  date: { parse: readDay, schema: () => day, description: 'Any of these days' },
  select: { parse: readOption, schema: optionSchema, description: 'Any of these' },
  multi_select: { parse: readOption, schema: optionSchema, description: 'Any of these among them' },
  reference: { parse: readReference, schema: () => idOr([]), description: 'Any of these ids' },
};

/**
 * The filter of a field: any of its values, `none`; numbers and days also by bounds (`gt:3`).
 *
 * @param view where the index of custom fields is (`ResourceSpec.fields`); without one every record of the workspace is looked at
 */
export function fieldFilter(field: FieldDefinition, view: string | undefined): FilterSpec<Wanted> {
  const { parse: read, schema, description } = VALUES[field.type];
  const isOrdered = field.type === 'number' || field.type === 'date';
  const bounds = isOrdered ? ', or `gt:`, `gte:`, `lt:`, `lte:` and one' : '';
  return {
    schema: several({
      anyOf: [schema(field), NONE, ...(isOrdered ? [{ type: 'string', pattern: '^(gt|gte|lt|lte):' }] : [])],
    }),
    description: `${field.label}. ${description}${bounds}; \`none\` = not set.`,
    parse: (raw, name) => {
      const [, operator = '', bound = ''] = (isOrdered && BOUND.exec(raw)) || [];
      if (operator !== '')
        return { operator: COMPARISONS[operator] ?? '=', bound: read(bound, name, field) as number | string };
      const items = itemsOf(raw);
      if (items.length > MAX_VALUES) invalid(name, 'max', `"${name}" takes at most ${MAX_VALUES} values.`);
      if (items.includes('')) invalid(name, 'format', `"${name}" has an empty value.`);
      const values = items.filter((item) => item !== 'none').map((item) => read(item, name, field));
      return { values: [...new Set(values)], none: items.includes('none') };
    },
    sql: (alias, wanted, bind) => conditionOf(field, view, alias, wanted, bind),
    isAbsence: (wanted) => 'values' in wanted && wanted.none && wanted.values.length === 0,
  };
}

/**
 * The index has terms: a number for each key that a record has, and one for each of its values, both with the workspace in it
 * (`custom_field_terms` of the migration). Terms may meet, so what they find is looked at.
 */
function conditionOf(
  { key, type }: FieldDefinition,
  view: string | undefined,
  alias: string,
  wanted: Wanted,
  bind: Bind,
): string {
  const name = `${bind(key)}::text`;
  const workspace = view === undefined ? '' : `${bind(currentWorkspaceId())}::bigint`;
  const among = (terms: () => string, condition: (row: string) => string): string =>
    view === undefined
      ? `((${condition(alias)}) IS TRUE)`
      : `${alias}.id IN (SELECT v.id FROM ${view} v WHERE v.terms ${terms()} AND ${condition('v')})`;
  const present = (): string => `@> ARRAY[hashtextextended(${name}, ${workspace})]`;
  const value = (row: string): string => `(${row}.custom_fields -> ${name})`;
  const text = (row: string): string => `(${row}.custom_fields ->> ${name})`;
  if ('bound' in wanted) {
    const bound = bind(wanted.bound);
    return among(present, (row) =>
      type === 'number'
        ? `CASE WHEN jsonb_typeof(${value(row)}) = 'number' THEN ${value(row)}::numeric ${wanted.operator} ${bound}::numeric END`
        : `${text(row)} COLLATE "C" ${wanted.operator} ${bound}::text`,
    );
  }
  const parts: string[] = [];
  if (wanted.values.length > 0) {
    const { values } = wanted;
    const term = (each: unknown): string =>
      `hashtextextended(${name} || '=' || ${bind(String(each))}::text, ${workspace})`;
    const isText = typeof values[0] === 'string';
    const all = isText ? `${bind(values)}::text[]` : `${bind(JSON.stringify(values))}::jsonb`;
    parts.push(
      among(
        () => `&& ARRAY[${values.map(term).join(', ')}]`,
        (row) => (isText ? `${value(row)} ?| ${all}` : `${all} @> ${value(row)}`),
      ),
    );
  }
  if (wanted.none) parts.push(`NOT ${among(present, (row) => `${text(row)} IS NOT NULL`)}`);
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' OR ')})`;
}

function readNumber(item: string, name: string): number {
  return numberOf(item) ?? invalid(name, 'type', `"${name}" must be a number such as 12 or 12.5.`);
}

function readDay(item: string, name: string): string {
  return isDay(item) ? item : invalid(name, 'format', `"${name}" must be a day such as 2026-10-20.`);
}

/** Options that are no longer given are still had. */
function readOption(item: string, name: string, { options }: FieldDefinition): string {
  const allowed = options.map(({ value }) => value);
  if (allowed.includes(item)) return item;
  invalid(name, 'enum', `"${name}" must be one of ${allowed.join(', ')}.`, { allowed });
}

function optionSchema({ options }: FieldDefinition): ParameterSchema {
  return { type: 'string', enum: options.map(({ value }) => value) };
}

function readReference(item: string, name: string, { target }: FieldDefinition): number {
  if (item === 'me' && target === 'users') return me(name);
  return idOf(item) ?? invalid(name, 'type', `"${name}" must be an id.`);
}
