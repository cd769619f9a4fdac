/** What a field holds, and with it which operators and values go with it. */
export type FieldType =
  'text' | 'enum' | 'number' | 'timestamp' | 'date' | 'boolean' | 'tags' | 'reference' | 'list' | 'custom';

/** One field that conditions may name. */
export interface FieldSpec {
  type: FieldType;
  /** Closed list of an enumeration. */
  values?: readonly string[];
  /** Of a text that has other names: the one that records have. */
  canonical?: (value: string) => string;
  /** Resource that a reference (or the items of a list) points to. */
  references?: string;
  /** True when events tell what it changed from and to, so that `changed…` operators apply. */
  tracked?: boolean;
  /** True for `changes.<field>`: only the `changed…` operators apply. */
  changeOnly?: boolean;
}

/** A statement about one field. `value` depends on the operator; see `operators.ts`. */
export interface Condition {
  field: string;
  operator: string;
  value?: unknown;
}

/** A condition or a group of conditions. */
export type Node = Condition | { all: Node[] } | { any: Node[] } | { not: Node };

/** Every member of `all` and, where there are any, one member of `any` must hold; `{}` always holds. */
export interface Conditions {
  all?: Node[];
  any?: Node[];
}

/** From and to of a changed field. */
export interface FieldChange {
  from: unknown;
  to: unknown;
}

/** What conditions are evaluated against. */
export interface Facts {
  /** The value as it appears in JSON; null or undefined when not set. */
  value(field: string): unknown;
  /** What the event changed the field from and to; undefined when it did not change it. */
  change(field: string): FieldChange | undefined;
  now: Date;
}

/** One evaluated condition. Long texts of `actual` are cut. */
export interface TraceEntry {
  field: string;
  operator: string;
  expected: unknown;
  actual: unknown;
  result: boolean;
}

export interface Verdict {
  met: boolean;
  /** Every condition, in the order written, whether or not it decided anything. */
  trace: TraceEntry[];
}

/** Levels of groups, the outermost `all` and `any` being the first. */
export const MAX_DEPTH = 4;
export const MAX_CONDITIONS = 100;
/** Values of `in`, `has_any` and the like. */
export const MAX_VALUES = 100;
export const MAX_TEXT_VALUE = 1_000;
