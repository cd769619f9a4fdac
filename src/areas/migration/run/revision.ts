import { hash } from 'node:crypto';
import { type ColumnSpec, sameValue, storedValue } from '../../../platform/columns/column-spec';
import type { Changes } from '../../../platform/events/event-rows';
import type { TakenValues } from '../../../platform/resource/takeover';
import { canonical, isRecord } from '../../../platform/text/json';

/** What a source said of each field, as digests: enough to see that it says something else now. */
export type Said = Readonly<Record<string, string>>;

/** What is known of a record here that a record of a source is about. */
export interface KnownOf {
  /** What the source said when it was last taken over; null where nobody knows. */
  said: Said | null;
  /** The version that migrations left it at; null of a record that none made. */
  left: number | null;
}

/** A record here as its source says it anew. */
export interface Facts {
  /** What it says now. */
  values: TakenValues;
  /** Fields that it has and says nothing of: what they said before is no longer so. */
  emptied: readonly string[];
  known: KnownOf;
  row: Readonly<Record<string, unknown>>;
  version: number;
}

/** What holds for all records of an entity. */
export interface RevisionRules {
  columns: ReadonlyMap<string, ColumnSpec>;
  /** Fields that are said once. */
  fixed: readonly string[];
  /** Whether the source wins over what somebody changed here. */
  sourceWins: boolean;
}

/** What is to become of a record here. */
export interface PlannedRevision {
  /** Columns that change, whole: custom fields with those that stay. */
  values: TakenValues;
  /** The same by field, `custom_fields.<key>` each for itself. */
  changes: Changes;
  /** Fields that both sides have changed, and that stay as they are here. */
  kept: string[];
  /** What the source said, as far as it is what is here. */
  said: Said;
  /** Nobody but migrations has changed the record. */
  isUntouched: boolean;
}

const CUSTOM = 'custom_fields.';
/** Fields that are no matter of a revision by themselves. */
const ASIDE = new Set(['external_id', 'updated_at']);
const DIGEST = 12;
/** In place of the digest of what is said no more. */
const NOTHING = '';

/** 72 bits of a value: two that are different are told apart. */
function digest(value: unknown): string {
  return hash('sha256', canonical(value ?? null), 'base64url').slice(0, DIGEST);
}

/** Custom fields are fields of their own. */
function* fieldsOf(values: TakenValues): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(values))
    if (name === 'custom_fields' && isRecord(value))
      for (const [key, each] of Object.entries(value)) yield [`${CUSTOM}${key}`, each];
    else if (!ASIDE.has(name) && value !== undefined && value !== null) yield [name, value];
}

/** Whether a source said something of a field. */
const isSaid = (mark: string | undefined): boolean => mark !== undefined && mark !== NOTHING;

/** What a source says of a record, to be known again. */
export function saidOf(values: TakenValues, columns: RevisionRules['columns']): Said {
  const said: Record<string, string> = {};
  for (const [name, value] of fieldsOf(values)) said[name] = digest(stored(columns, name, value));
  return said;
}

/** Whether a source says of a record what it said when it was last taken over. */
export function saysTheSame(
  now: Said,
  before: Said | null,
  emptied: readonly string[],
  fixed: readonly string[],
): boolean {
  if (before === null || emptied.some((name) => isSaid(before[name]) && !fixed.includes(name))) return false;
  return Object.entries(now).every(([name, each]) => before[name] === each || fixed.includes(name));
}

/**
 * What is to be written of a record that is here: what its source has changed since it was last taken over. What somebody changed here
 * meanwhile stays, unless the source wins. What is known of a source stays what it was where it did not get through, so that it may
 * later.
 */
export function planned(
  { values, emptied, known, row, version }: Facts,
  { columns, fixed, sourceWins }: RevisionRules,
): PlannedRevision {
  const said: Record<string, string> = { ...known.said };
  const isUntouched = known.left !== null && known.left === version;
  const plan: PlannedRevision = { values: {}, changes: {}, kept: [], said, isUntouched };
  const news: [string, unknown][] = [
    ...fieldsOf(values),
    ...emptied.filter((name) => isSaid(known.said?.[name])).map((name): [string, unknown] => [name, null]),
  ];
  for (const [name, value] of news) {
    const column = columns.get(name);
    const isCustom = name.startsWith(CUSTOM);
    if (fixed.includes(name) || (!isCustom && !column)) continue;
    const [to, from] = [stored(columns, name, value), here(row, name)];
    const base = known.said?.[name];
    const now = digest(to);
    if (now === base || (to === null && column && !column.nullable)) continue;
    const is = column ? sameValue(column, from, to) : canonical(from ?? null) === canonical(to ?? null);
    const isTouched = !isUntouched && (isSaid(base) ? digest(from) !== base : !isEmpty(from));
    if (!is && isTouched && !sourceWins) {
      plan.kept.push(name);
      continue;
    }
    if (to === null) said[name] = NOTHING;
    else said[name] = now;
    if (is) continue;
    plan.changes[name] = { from: from ?? null, to };
    if (isCustom) plan.values.custom_fields = withCustom(plan.values.custom_fields ?? row.custom_fields, name, to);
    else plan.values[name] = to;
  }
  if (typeof values.updated_at === 'string' && isUntouched && Object.keys(plan.values).length > 0)
    plan.values.updated_at = values.updated_at;
  return plan;
}

function stored(columns: RevisionRules['columns'], name: string, value: unknown): unknown {
  const column = columns.get(name);
  return column ? storedValue(column, value) : value;
}

function here(row: Facts['row'], name: string): unknown {
  if (!name.startsWith(CUSTOM)) return row[name] ?? null;
  const { custom_fields } = row;
  return isRecord(custom_fields) ? (custom_fields[name.slice(CUSTOM.length)] ?? null) : null;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A value of null takes the field away. */
function withCustom(fields: unknown, name: string, value: unknown): Record<string, unknown> {
  const key = name.slice(CUSTOM.length);
  const rest = Object.entries(isRecord(fields) ? fields : {}).filter(([each]) => each !== key);
  return Object.fromEntries(value === null ? rest : [...rest, [key, value]]);
}
