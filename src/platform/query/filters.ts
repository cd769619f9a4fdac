import { invalid } from '../errors/api-error';
import {
  decimal,
  flag,
  idOr,
  integer,
  items as itemsOf,
  MAX_VALUES,
  me,
  moment,
  momentSchema,
  oneOf,
  recordId,
  several,
} from './values';
import type { ColumnSpec } from '../columns/column-spec';
import { withoutUnseen } from '../text/unseen';
import { nullsLast } from './nulls-last';

/** Binds a value as a parameter and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** A condition on one column: any of these values (null = none), or none of these; or beyond a value of the column's type. */
export type Told =
  | { column: string; any: readonly unknown[]; not?: boolean }
  | { column: string; operator: '<' | '>' | '<=' | '>='; value: unknown };

/** One filter of a list: how its text is parsed (into a `Value`), what SQL it becomes, how it is documented. */
export interface FilterSpec<Value = unknown, Column extends string = never> {
  /** Type alone: the column that it is about, where it says so, so that the compiler knows whether the entity has it. */
  readonly column?: Column;
  /** JSON schema of the query parameter. */
  schema: Record<string, unknown>;
  description: string;
  /** Parsed value, or a 422 naming the filter. */
  parse(raw: string, name: string): Value;
  /** SQL condition; all parts leakproof where the filter must use an index under row-level security. */
  sql(alias: string, value: Value, bind: Bind): string;
  /** True when the condition is not leakproof: it is then evaluated on the search view, where its index works. */
  leaky?: boolean;
  /** The column that has to be beyond the value, where that is all of the condition. */
  bounds?: string | undefined;
  /** Whether this value asks for nothing but records that have none: mostly nearly all, in no index. */
  isAbsence?(value: Value): boolean;
  /** What it asks of the values of one column, where that is all that it asks: then bits may tell who meets it. */
  told?(value: Value): Told | null;
  /** The records that it leaves out, where it may leave nearly none: conditions of ranges of an index, of which a record meets one at most. */
  leavesOut?(alias: string, value: Value, bind: Bind): readonly string[] | null;
}

/** The same, whatever it is about. */
export type AnyFilter = FilterSpec<unknown, string>;

/** Equality of a column, by its kind. */
export function columnFilter(column: ColumnSpec): FilterSpec {
  switch (column.kind) {
    case 'enum':
      return anyOf(column.name, oneOf(column.values ?? []), 'text', {
        schema: several({ type: 'string', enum: column.nullable ? [...(column.values ?? []), 'none'] : column.values }),
        description: `Any of these${column.nullable ? '; `none` = not set' : ''}.`,
        nullable: column.nullable,
      });
    case 'reference':
      return anyOf(column.name, reference(column.references === 'users'), 'bigint', {
        schema: several(idOr([...(column.nullable ? ['none'] : []), ...(column.references === 'users' ? ['me'] : [])])),
        description: `Ids of ${(column.references ?? 'records').replaceAll('_', ' ')}${column.nullable ? '; `none` = not set' : ''}${column.references === 'users' ? '; `me` = the user of the token' : ''}.`,
        nullable: column.nullable,
      });
    case 'boolean':
      return {
        schema: { type: 'boolean' },
        description: '`true` or `false`.',
        parse: flag,
        sql: (alias, value, bind) => `${alias}.${column.name} = ${bind(value)}::boolean`,
      };
    case 'integer':
      return { ...integerFilter(column.name, column.nullable), column: undefined };
    case 'number':
      return anyOf(column.name, decimal, 'numeric', {
        schema: several(column.nullable ? { anyOf: [{ type: 'number' }, { const: 'none' }] } : { type: 'number' }),
        description: `Any of these numbers${column.nullable ? '; `none` = not set' : ''}.`,
        nullable: column.nullable,
      });
    default:
      return anyOf(column.name, (item) => column.written?.(item) ?? item, 'text', {
        schema: several({ type: 'string', minLength: 1 }),
        description: `Any of these exact values${column.nullable ? '; `none` = not set' : ''}.`,
        nullable: column.nullable,
      });
  }
}

interface AnyOf {
  values: unknown[];
  none: boolean;
}

/** Values of an equality filter as the counters want them; null stands for `none`. */
export function equalityValues(value: unknown): unknown[] {
  const { values, none } = value as AnyOf;
  return none ? [...values, null] : values;
}

/** Equality with any of some values of a column. */
export function anyOf(
  column: string,
  parseItem: (item: string, name: string) => unknown,
  type: string,
  about: { schema: Record<string, unknown>; description: string; nullable: boolean },
): FilterSpec<AnyOf> {
  return {
    ...about,
    parse: (raw, name) => {
      const items = itemsOf(raw);
      if (items.length > MAX_VALUES) invalid(name, 'max', `"${name}" takes at most ${MAX_VALUES} values.`);
      if (items.includes('')) invalid(name, 'format', `"${name}" has an empty value.`);
      const none = about.nullable && items.includes('none');
      const values = items.filter((item) => !(none && item === 'none')).map((item) => parseItem(item, name));
      return { values: [...new Set(values)], none };
    },
    sql: (alias, { values, none }, bind) => {
      const name = `${alias}.${column}`;
      const parts: string[] = [];
      if (values.length === 1) parts.push(`${name} = ${bind(values[0])}::${type}`);
      else if (values.length > 1) parts.push(`${name} = ANY(${bind(values)}::${type}[])`);
      if (none) parts.push(`${name} IS NULL`);
      return parts.length > 1 ? `(${parts.join(' OR ')})` : (parts[0] ?? 'FALSE');
    },
    isAbsence: ({ values, none }) => none && values.length === 0,
    told: ({ values, none }) => ({ column, any: none ? [...values, null] : values }),
    leavesOut: (alias, { values, none }) => (none && values.length === 0 ? [`${alias}.${column} IS NOT NULL`] : null),
  };
}

/** An id; of a user also `me`. */
function reference(isUser: boolean) {
  return (item: string, name: string): number => (isUser && item === 'me' ? me(name) : recordId(item, name));
}

/** A bound for an integer. */
interface Comparison {
  operator: '<' | '>' | '<=' | '>=';
  bound: number;
}

/** Words of bounds, and the operators that they are. */
export const COMPARISONS: Readonly<Record<string, Comparison['operator']>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** `3`, `1,2,3`, `gt:0`, `gte:1`, `lt:3`, `lte:3`. */
export function integerFilter<Column extends string>(
  column: Column,
  nullable = true,
): FilterSpec<AnyOf | Comparison, Column> {
  const equality = anyOf(column, integer, 'bigint', { schema: {}, description: '', nullable: true });
  return {
    schema: {
      anyOf: [
        { type: 'integer' },
        { type: 'string', pattern: '^((gt|gte|lt|lte):-?\\d{1,15}|(-?\\d{1,15}|none)(,(-?\\d{1,15}|none)){0,99})$' },
      ],
    },
    description:
      'A whole number, several comma-separated, or `gt:`, `gte:`, `lt:`, `lte:` and a number; `none` = not set.',
    parse: (raw, name) => {
      const match = /^(gt|gte|lt|lte):(-?\d+)$/.exec(raw);
      return match
        ? { operator: COMPARISONS[match[1] ?? ''] ?? '>', bound: integer(match[2] ?? '', name) }
        : equality.parse(raw, name);
    },
    sql: (alias, value, bind) =>
      'bound' in value
        ? `${alias}.${column} ${value.operator} ${bind(value.bound)}::bigint`
        : equality.sql(alias, value, bind),
    isAbsence: (value) => 'values' in value && equality.isAbsence?.(value) === true,
    told: (value) =>
      'bound' in value ? { column, operator: value.operator, value: value.bound } : (equality.told?.(value) ?? null),
    leavesOut: (alias, value, bind) => {
      if ('bound' in value) return null;
      // Of a column that may have none, mostly nearly all have none, in no index.
      if (nullable || value.none || value.values.length !== 1) return equality.leavesOut?.(alias, value, bind) ?? null;
      const [name, only] = [`${alias}.${column}`, `${bind(value.values[0])}::bigint`];
      return [`${name} < ${only}`, `${name} > ${only}`];
    },
  };
}

/** A moment compared with a timestamp or date column: `<name>_after` is exclusive, `<name>_before` too. */
export function momentFilter<Column extends string>(
  column: Column,
  operator: '>' | '<',
  type: 'timestamptz' | 'date' = 'timestamptz',
): FilterSpec<unknown, Column> {
  return {
    schema: momentSchema,
    description: `Only records whose \`${column}\` is ${operator === '>' ? 'after' : 'before'} this ${type === 'date' ? 'day' : 'moment (ISO 8601; a bare date means midnight UTC)'}.`,
    parse: (raw, name) => {
      const text = moment(raw, name).toISOString();
      return type === 'date' ? text.slice(0, 10) : text;
    },
    sql: (alias, value, bind) => `${alias}.${column} ${operator} ${bind(value)}::${type}`,
    leavesOut: (alias, value, bind) => [
      `${alias}.${column} ${operator === '>' ? '<=' : '>='} ${bind(value)}::${type}`,
      `${alias}.${column} IS NULL`,
    ],
    bounds: column,
    told: (value) => (type === 'date' ? null : { column, operator, value }),
  };
}

/** The same for a nullable column that lists are sorted by, whose index then serves. */
export function nullableMomentFilter<Column extends string>(
  column: Column,
  operator: '>' | '<',
  type: 'timestamptz' | 'date' = 'timestamptz',
): FilterSpec<unknown, Column> {
  const direction = operator === '>' ? 'descending' : 'ascending';
  return {
    ...momentFilter(column, operator, type),
    bounds: undefined,
    leavesOut: () => null,
    told: () => null,
    sql: (alias, value, bind) =>
      `(${nullsLast(`${alias}.${column}`, type, direction)}) ${operator} ${bind(value)}::${type}`,
  };
}

/** A number that a column must reach (`>=`, for `<name>_min`) or must not pass (`<=`, for `<name>_max`). */
export function boundFilter<Column extends string>(column: Column, operator: '>=' | '<='): FilterSpec<unknown, Column> {
  return {
    schema: { type: 'number' },
    description: `Only records whose \`${column}\` is ${operator === '>=' ? 'at least' : 'at most'} this.`,
    parse: decimal,
    sql: (alias, value, bind) => `${alias}.${column} ${operator} ${bind(value)}::numeric`,
  };
}

/** A yes-or-no filter with a condition of its own, e.g. `rotten`; the condition must be leakproof to use an index. */
export function conditionFilter(description: string, condition: (alias: string) => string): FilterSpec<boolean> {
  return {
    schema: { type: 'boolean' },
    description,
    parse: flag,
    sql: (alias, value) => (value ? `(${condition(alias)})` : `(${condition(alias)}) IS NOT TRUE`),
  };
}

/** Whether a nullable column is set: `true` or `false`. */
export function presenceFilter<Column extends string>(column: Column): FilterSpec<boolean, Column> {
  return {
    schema: { type: 'boolean' },
    description: `\`true\`: \`${column}\` is set; \`false\`: it is not.`,
    parse: flag,
    sql: (alias, value) => `${alias}.${column} IS ${value ? 'NOT NULL' : 'NULL'}`,
    isAbsence: (value) => !value,
    told: (value) => ({ column, any: [null], not: value }),
    leavesOut: (alias, value) => (value ? null : [`${alias}.${column} IS NOT NULL`]),
  };
}

/** Any (or all) of the given items is in a list column; `expression` yields a text[] or bigint[]. */
export function overlapFilter(
  expression: (alias: string) => string,
  mode: 'any' | 'all',
  type: 'text' | 'bigint' = 'text',
): FilterSpec<(string | number)[]> {
  return {
    leaky: true,
    schema: several(type === 'bigint' ? idOr([]) : { type: 'string', minLength: 1 }),
    description: `Records having ${mode === 'any' ? 'any' : 'all'} of these.`,
    parse: (raw, name) => {
      const items = itemsOf(withoutUnseen(raw).toLowerCase());
      if (items.includes('') || items.length > MAX_VALUES)
        invalid(name, 'format', `"${name}" must be 1 to ${MAX_VALUES} values.`);
      return type === 'bigint' ? items.map((item) => recordId(item, name)) : items;
    },
    sql: (alias, value, bind) => `${expression(alias)} ${mode === 'any' ? '&&' : '@>'} ${bind(value)}::${type}[]`,
  };
}

/**
 * The same filter, answered by a search view: operators that are not leakproof (`&&`, `@>`) find no index under
 * row-level security, through the view they do.
 */
export function throughView<Value, Column extends string>(
  view: string,
  filter: FilterSpec<Value, Column>,
): FilterSpec<Value, Column> {
  return {
    ...filter,
    sql: (alias, value, bind) => `${alias}.id IN (SELECT v.id FROM ${view} v WHERE ${filter.sql('v', value, bind)})`,
  };
}
