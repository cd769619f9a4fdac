import type { Type } from '@nestjs/common';
import { columnsOf } from '../columns/column-spec';
import { columnFilter } from '../query/filters';
import { allResources, extendResource, type SortSpec } from '../resource/resource';
import { addWritable } from '../columns/bodies';
import { type ResourceEntity } from '../resource/resource-entity';

/** Columns that an extension gives to a resource that is not its own; its migration adds them to the table (`extraColumns`). */
export interface ExtraFields {
  /** The entity of the resource. */
  readonly entity: Type<ResourceEntity>;
  /** Column, property and JSON key to its decorator, e.g. `{ vehicles_plate: StringColumn({ max: 20, nullable: true }) }`. */
  readonly columns: Readonly<Record<string, PropertyDecorator>>;
  /** Columns that filter by equality. */
  readonly filter?: readonly string[];
  readonly sort?: Readonly<Record<string, SortSpec>>;
}

/**
 * Makes the fields columns of the resource as its own are: in answers, bodies, conditions, events and the OpenAPI document.
 * Fields that are there already stay. To be called before an application is made.
 *
 * @param owner name of the area that brings them; their names begin with it, so that no two extensions meet
 * @throws Error when a name or a setting is not possible
 */
export function installFields({ entity, columns, filter = [], sort = {} }: ExtraFields, owner: string): void {
  const resource = allResources().find((each) => each.entity === entity);
  if (!resource) throw new Error(`${owner}: extra fields of ${entity.name}, which is no entity of a resource.`);
  const names = Object.keys(columns).filter((name) => !resource.column.has(name));
  if (names.length === 0) return;
  const prefix = `${owner.replaceAll('-', '_')}_`;
  for (const name of names) {
    if (!new RegExp(`^${prefix}[a-z][a-z0-9_]*$`).test(name))
      throw new Error(`${owner}: the extra field "${name}" of ${resource.name} must be called "${prefix}…".`);
    columns[name]?.(entity.prototype as object, name);
  }
  const specs = columnsOf(entity).filter(({ name }) => names.includes(name));
  for (const { name, required, nullable, default: fallback, kind } of specs) {
    if (required || (kind !== 'computed' && !nullable && fallback === undefined))
      throw new Error(`${owner}: "${name}" of ${resource.name} must be nullable or have a default: others write, too.`);
  }
  const writable = specs.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
  addWritable(entity, writable, (body, name) => columns[name]?.(body, name));
  const filters = specs
    .filter(({ name }) => filter.includes(name))
    .map((spec) => [spec.name, columnFilter(spec)] as const);
  if (filters.length < filter.length) throw new Error(`${owner}: a filter of ${resource.name} names no extra field.`);
  extendResource(resource, filters, sort);
}
