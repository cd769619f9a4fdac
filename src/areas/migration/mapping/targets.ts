import { columnsOf, type ColumnSpec } from '../../../platform/columns/column-spec';
import type { Takeover } from '../../../platform/resource/takeover';
import { SOURCE_URL } from './web-address';

const ID: ColumnSpec = {
  ...({ name: 'external_id', kind: 'string', nullable: true, required: false, readOnly: false } as const),
  default: null,
};

/** Fields that a source may fill. */
export function targetsOf({ body, resource, needs }: Takeover): ReadonlyMap<string, ColumnSpec> {
  const members = new Set(memberNames(body));
  const columns = columnsOf(resource.entity).filter(
    ({ name, kind }) => members.has(name) && kind !== 'references' && kind !== 'integers',
  );
  // Records without an id of elsewhere have one in the book of migrations.
  const id: [string, ColumnSpec][] = columns.some(({ name }) => name === ID.name) ? [] : [[ID.name, ID]];
  return new Map([
    ...columns.map((column): [string, ColumnSpec] => [
      column.name,
      needs.includes(column.name) ? { ...column, required: true } : column,
    ]),
    ...id,
  ]);
}

/** The code that a record has here already; it is matched by, and never written. */
export const CODE = 'code';

/** Fields that say something about a record, and are none of it. */
export function asideOf(takeover: Takeover): readonly string[] {
  return 'idsOfCodes' in takeover ? [SOURCE_URL, CODE] : [SOURCE_URL];
}

export const CUSTOM = /^custom_fields\.([\w.-]{1,60})$/;

/** Whether a mapping may name it. */
export function isTarget(takeover: Takeover, name: string): boolean {
  return asideOf(takeover).includes(name) || targetsOf(takeover).has(name) || CUSTOM.test(name);
}

/** The pattern of texts that say anything at all. */
const NOT_BLANK = '\\S';

/** Most characters of a text; null where there is no such bound, and of codes, of which a part is another one. */
export function maxLengthOf(body: object, name: string): number | null {
  const settings: unknown = Reflect.getMetadata('swagger/apiModelProperties', prototypeOf(body), name);
  if (typeof settings !== 'object' || settings === null) return null;
  const isCode = 'pattern' in settings && settings.pattern !== undefined && settings.pattern !== NOT_BLANK;
  return 'maxLength' in settings && typeof settings.maxLength === 'number' && !isCode ? settings.maxLength : null;
}

function memberNames(body: object): string[] {
  const names: unknown = Reflect.getMetadata('swagger/apiModelPropertiesArray', prototypeOf(body));
  return Array.isArray(names) ? names.map((name) => String(name).slice(1)) : [];
}

function prototypeOf(body: object): object {
  return 'prototype' in body && typeof body.prototype === 'object' && body.prototype !== null ? body.prototype : body;
}
