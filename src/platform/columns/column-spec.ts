import type { Type } from '@nestjs/common';
import { canonical } from '../text/json';
import { withoutUnseen } from '../text/unseen';

/** How a column is stored, validated and written as JSON. */
export type ColumnKind =
  | 'string'
  | 'email'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'enum'
  | 'timestamp'
  | 'date'
  | 'json'
  | 'strings'
  | 'integers'
  | 'tags'
  | 'reference'
  | 'references'
  | 'computed';

/** One public column of a resource: property = column = JSON key. */
export interface ColumnSpec {
  name: string;
  kind: ColumnKind;
  nullable: boolean;
  required: boolean;
  /** Value on create when the body does not name it. */
  default: unknown;
  values?: readonly string[];
  /** Resource name a reference points to. */
  references?: string;
  /** Never accepted from a body. */
  readOnly: boolean;
  /** Brings a text into the one form in which it is stored, and filters what they are given. */
  written?: (text: string) => string;
  /** SQL expression of what is shown, given the table alias: of computed columns, and of some stored ones. */
  sql?: (alias: string) => string;
  /** Of computed columns: whether it is a list. */
  isList?: boolean;
  /** Of computed columns: the kind of what they yield, where it is a single value. */
  yields?: ColumnKind;
  /** Never among the `changes` of events. */
  untold?: boolean;
  /** Schema in answers, where it is another one than in bodies. */
  shown?: object;
  /** Of JSON: what its members are where none are stored. Answers have them all. */
  unset?: object;
}

/** What every column decorator takes. A column is public; use TypeORM's own `@Column` for a private one. */
export interface ColumnSettings {
  description?: string;
  example?: unknown;
  nullable?: boolean;
  /** Must be in the body of a create. */
  required?: boolean;
  /** Value on create when absent; `null` for nullable columns. */
  default?: unknown;
  /** Set by the service only. */
  readOnly?: boolean;
  /** Changes with others, or without a new version: events hold it, but not among their `changes`. */
  untold?: boolean;
  /** SQL of what is shown instead of the stored value, where time changes it before the service does. */
  shownAs?: (alias: string) => string;
}

const columnsByClass = new Map<object, Map<string, ColumnSpec>>();

/** Records a column of an entity class (called by the decorators). */
export function recordColumn(prototype: object, spec: ColumnSpec): void {
  const owner = prototype.constructor;
  let columns = columnsByClass.get(owner);
  if (!columns) columnsByClass.set(owner, (columns = new Map<string, ColumnSpec>()));
  columns.set(spec.name, spec);
}

/** Public columns of an entity: the id, its own in order of declaration, then the inherited ones. */
export function columnsOf(entity: Type): ColumnSpec[] {
  const chain: object[] = [];
  for (
    let owner: unknown = entity;
    typeof owner === 'function' && owner !== Function.prototype;
    owner = Object.getPrototypeOf(owner)
  ) {
    chain.unshift(owner);
  }
  const columns = new Map<string, ColumnSpec>();
  for (const owner of chain) for (const [name, spec] of columnsByClass.get(owner) ?? []) columns.set(name, spec);
  const own = columnsByClass.get(entity) ?? new Map<string, ColumnSpec>();
  const rank = ({ name }: ColumnSpec): number => (name === 'id' ? 0 : own.has(name) ? 1 : 2);
  return [...columns.values()].sort((left, right) => rank(left) - rank(right));
}

/**
 * SQL text of a timestamp as it appears in JSON: ISO 8601, UTC, milliseconds, `Z` (sessions run in UTC). The column holds
 * milliseconds, so a tenth of one more makes PostgreSQL write four digits of the second, of which three are kept: a
 * third cheaper than to_char, and a page of 25 tickets has some 150 of them.
 */
export function timestampText(expression: string): string {
  return `substr(to_json(${expression} + interval '100 microseconds')::text, 2, 23) || 'Z'`;
}

/** SQL that yields the column as it appears in JSON. */
export function selectExpression(column: ColumnSpec, alias: string): string {
  if (column.sql) return column.sql(alias);
  const name = `${alias}.${column.name}`;
  return column.kind === 'timestamp' ? timestampText(name) : name;
}

/** Turns a validated body value into what the column stores. */
export function storedValue(column: ColumnSpec, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  switch (column.kind) {
    case 'timestamp':
      return new Date(value as string).toISOString();
    case 'tags':
      return normaliseTags(value as string | string[]);
    case 'references':
    case 'integers':
      return [...new Set(value as number[])];
    default:
      return typeof value === 'string' && column.written ? column.written(value) : value;
  }
}

/** Decision 3: without what nobody sees, trimmed, lower-cased, de-duplicated, in order, joined with a comma. */
export function normaliseTags(value: string | readonly string[]): string {
  const parts = (typeof value === 'string' ? [value] : value).flatMap((part) => part.split(','));
  return [...new Set(parts.map((part) => withoutUnseen(part).trim().toLowerCase()).filter((part) => part !== ''))].join(
    ',',
  );
}

/** The kind of the values that a schema describes; null for lists and objects. */
export function yieldedKind({ type, format }: { type?: unknown; format?: unknown }): ColumnKind | null {
  switch (type) {
    case 'integer':
    case 'number':
    case 'boolean':
      return type;
    case 'string':
      return format === 'date-time' ? 'timestamp' : format === 'date' ? 'date' : 'string';
    default:
      return null;
  }
}

/** Equality of stored values: what decides whether a PATCH changes anything. */
export function sameValue(column: ColumnSpec, left: unknown, right: unknown): boolean {
  if (left === right || ((left ?? null) === null && (right ?? null) === null)) return true;
  if (left === null || right === null || left === undefined || right === undefined) return false;
  if (column.kind === 'timestamp') return new Date(left as string).getTime() === new Date(right as string).getTime();
  if (typeof left === 'object' || typeof right === 'object') return canonical(left) === canonical(right);
  return false;
}
