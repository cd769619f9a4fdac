import type { ColumnKind, ColumnSpec } from '../columns/column-spec';
import { resourceIfAny } from '../resource/resource';
import type { FieldSpec, FieldType } from './condition';
import { FieldSet } from './field-set';

interface Options {
  /** Prefix to the name of the resource whose fields it leads to: `{ company: 'companies' }`. */
  relations?: Readonly<Record<string, string>>;
  /** Fields may be asked whether they changed, also as `changes.<field>`. */
  tracked?: boolean;
  /** Also computed fields, where the records are as GET shows them. */
  computed?: boolean;
}

const TYPES: Readonly<Partial<Record<ColumnKind, FieldType>>> = {
  string: 'text',
  email: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  enum: 'enum',
  timestamp: 'timestamp',
  date: 'date',
  tags: 'tags',
  strings: 'list',
  integers: 'list',
  references: 'list',
  reference: 'reference',
};

/**
 * The fields of a resource's records that conditions may name, by the kinds of its columns: stored ones, where asked
 * for computed ones, and `custom_fields.<key>`. Empty for a resource whose area is not installed; to be called once all are declared.
 */
export function resourceFields(
  name: string,
  { relations = {}, tracked = false, computed = false }: Options = {},
): FieldSet {
  const columns = resourceIfAny(name)?.columns ?? [];
  const fields = new Map<string, FieldSpec>();
  for (const column of columns) {
    const spec = fieldOf(column, computed);
    if (spec) fields.set(column.name, tracked && !column.untold ? { ...spec, tracked } : spec);
  }
  const families = new Map<string, FieldSpec>();
  if (columns.some((column) => column.name === 'custom_fields'))
    families.set('custom_fields.', { type: 'custom', ...(tracked ? { tracked } : {}) });
  let set = new FieldSet(fields, families);
  for (const [prefix, resource] of Object.entries(relations)) set = set.with(resourceFields(resource).under(prefix));
  return tracked ? set.with(changeFields(fields, families)) : set;
}

function changeFields(fields: ReadonlyMap<string, FieldSpec>, families: ReadonlyMap<string, FieldSpec>): FieldSet {
  const changeable = (map: ReadonlyMap<string, FieldSpec>): Map<string, FieldSpec> =>
    new Map([...map].filter(([, spec]) => spec.tracked).map(([name, spec]) => [name, { ...spec, changeOnly: true }]));
  return new FieldSet(changeable(fields), changeable(families)).under('changes');
}

function fieldOf({ kind, name, values, references, yields }: ColumnSpec, computed: boolean): FieldSpec | null {
  const type = name === 'id' ? 'number' : TYPES[computed ? (yields ?? kind) : kind];
  if (type === undefined) return null;
  return { type, ...(values ? { values } : {}), ...(references ? { references } : {}) };
}
