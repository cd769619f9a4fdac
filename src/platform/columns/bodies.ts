import type { Type } from '@nestjs/common';
import { PickType } from '@nestjs/swagger';
import { columnsOf } from './column-spec';

/**
 * A class with the named columns of an entity, for bodies. What may not be left out is named once more for the compiler;
 * names that are not those of the required columns are an error at start.
 */
export function MembersOf<E extends object, Name extends keyof E, Needed extends Name = never>(
  entity: Type<E>,
  names: readonly Name[],
  needed: readonly Needed[] = [],
): Type<Partial<Pick<E, Name>> & Pick<E, Needed>> {
  const required = columnsOf(entity).filter((column) => column.required && names.includes(column.name as Name));
  if (required.length !== needed.length || required.some(({ name }) => !needed.includes(name as Needed))) {
    throw new Error(`A body of ${entity.name} needs ${required.map(({ name }) => name).join(', ') || 'nothing'}.`);
  }
  return PickType(entity, names);
}

const companions = new Map<object, ReadonlySet<string>>();
const bodies = new Map<object, Type<object>[]>();

/** Tells the validation pipe which entity a body class belongs to: its other public columns may be echoed back. */
export function BodyOf(entity: Type<object>, writable: readonly string[]): ClassDecorator {
  return (dto) => {
    const rest = columnsOf(entity).map((spec) => spec.name);
    companions.set(dto, new Set(rest.filter((name) => !writable.includes(name))));
    bodies.set(entity, [...bodiesOf(entity), dto as unknown as Type<object>]);
  };
}

/** Makes columns that an entity was given later members of its bodies. @param decorate puts one on the prototype of a body */
export function addWritable(
  entity: Type<object>,
  names: readonly string[],
  decorate: (body: object, name: string) => void,
): void {
  for (const dto of bodiesOf(entity)) for (const name of names) decorate(dto.prototype as object, name);
}

/** The classes of bodies that belong to an entity. */
export function bodiesOf(entity: Type<object>): readonly Type<object>[] {
  return bodies.get(entity) ?? [];
}

/** Whether a body is of a class that belongs to the entity. */
export function isBodyOf(entity: Type<object>, body: object): boolean {
  return bodiesOf(entity).some((each) => each === body.constructor);
}

/** The classes of bodies that belong to an entity, in order of declaration. */
export function bodyClasses(): Iterable<object> {
  return companions.keys();
}

/** Names that a body of this class may repeat unchanged but not set. */
export function readOnlyFieldsOf(dto: object): ReadonlySet<string> {
  return companions.get(dto) ?? new Set();
}
