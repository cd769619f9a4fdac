import { type FieldDefinition, fieldPath, type FieldType as Defined } from '../fields/field-definition';
import type { FieldSpec, FieldType } from './condition';
import { FieldSet } from './field-set';

const TYPES: Readonly<Record<Defined, FieldType>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  select: 'enum',
  multi_select: 'list',
  reference: 'reference',
};

/** The custom fields that a workspace has defined, as conditions may name them, by their types. @param tracked events tell of their changes */
export function definedFields(definitions: readonly FieldDefinition[], tracked = false): FieldSet {
  const own = new Map(
    definitions.map((field): [string, FieldSpec] => [
      fieldPath(field),
      { ...specOf(field), ...(tracked ? { tracked } : {}) },
    ]),
  );
  const fields = new FieldSet(own);
  if (!tracked) return fields;
  const changes = new Map([...own].map(([name, spec]): [string, FieldSpec] => [name, { ...spec, changeOnly: true }]));
  return fields.with(new FieldSet(changes).under('changes'));
}

function specOf({ type, options, target }: FieldDefinition): FieldSpec {
  const values = type === 'select' ? options.map(({ value }) => value) : null;
  return { type: TYPES[type], ...(values ? { values } : {}), ...(target === null ? {} : { references: target }) };
}
