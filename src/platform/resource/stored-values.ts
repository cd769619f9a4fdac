import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import type { Changes } from '../events/event-rows';
import { invalid } from '../errors/api-error';
import { echoedFields } from '../http/validation-pipe';
import { canonical } from '../text/json';
import { type ColumnSpec, sameValue, storedValue } from '../columns/column-spec';
import type { Query } from '../postgres/statement-batch';
import { type Resource, resourceIfAny } from './resource';
import { andSeen, filled } from './read/sight';
import type { ResourceEntity } from './resource-entity';
import type { Row, Values } from './rows';

/** Values by column name, where the columns are walked over. */
type Named = Record<string, unknown>;

/** What the columns of a new record store: what the body gives, else the columns' defaults. 422 for echoes (decision 9). */
export function newValues<E extends ResourceEntity>(resource: Resource<E>, body: object): Values<E> {
  const [echo] = Object.keys(echoedFields(body));
  if (echo !== undefined) refuse(echo);
  const given = body as Named;
  const values: Named = {};
  for (const column of resource.columns) {
    if (column.kind === 'computed') continue;
    const value = given[column.name];
    if (value !== undefined) values[column.name] = storedValue(column, value);
    else if (column.default !== undefined) values[column.name] = column.default;
  }
  return values as Values<E>;
}

/** What the columns store that the body of a change names. 422 for columns that are the service's, unless as they are. */
export function givenValues<E extends ResourceEntity>(resource: Resource<E>, body: object, before: Row<E>): Values<E> {
  for (const [name, value] of Object.entries(echoedFields(body))) {
    const column = resource.column.get(name);
    if (column && column.kind !== 'computed' && !sameValue(column, value, (before as Named)[name])) refuse(name);
  }
  const given = body as Named;
  const values: Named = {};
  for (const column of resource.columns) {
    const value = given[column.name];
    if (value !== undefined) values[column.name] = storedValue(column, value);
  }
  return values as Values<E>;
}

/**
 * The computed lists that came with a body (`member_ids`). Other computed columns are numbers and moments that whatever happens
 * elsewhere moves on, whose echo means nothing; who sends another list means it to be one.
 */
export function echoedLists(resource: Resource, body: object): string[] {
  return Object.keys(echoedFields(body)).filter((name) => resource.column.get(name)?.isList === true);
}

/** 422 unless the body has these fields as the record is shown with them. */
export function requireAsShown(names: readonly string[], body: object, shown: object): void {
  const echoed = echoedFields(body);
  const other = names.find((name) => canonical(echoed[name]) !== canonical((shown as Named)[name]));
  if (other !== undefined) refuse(other);
}

/** The values that differ from the stored ones; of a new record (`before` null) those that are set. */
export function differing<E extends ResourceEntity>(
  resource: Resource<E>,
  before: Row<E> | null,
  values: Values<E>,
): Values<E> {
  const stored = Object.entries(values as Named).filter(([name, value]) => !unchanged(resource, name, before, value));
  return Object.fromEntries(stored) as Values<E>;
}

/** From and to of each public column of a change, as events tell it; `before` is null for a new record. */
export function changesOf<E extends ResourceEntity>(
  resource: Resource<E>,
  before: Row<E> | null,
  values: Values<E>,
): Changes {
  const changes: Changes = {};
  for (const [name, value] of Object.entries(values as Named)) {
    const column = resource.column.get(name);
    if (!column) continue;
    const shown = (stored: unknown): unknown =>
      column.kind === 'timestamp' && typeof stored === 'string' ? new Date(stored).toISOString() : (stored ?? null);
    changes[name] = { from: shown((before as Named | null)?.[name]), to: shown(value) };
  }
  return changes;
}

/** Changes as events tell them: null where nothing that clients see has changed. */
export function orNone(changes: Changes): Changes | null {
  return Object.keys(changes).length === 0 ? null : changes;
}

/** 422 unless everything that lists of ids name exists; it is held, as the target of a foreign key would be. */
export async function requireReferences<E extends ResourceEntity>(
  database: Database,
  resource: Resource<E>,
  values: Values<E>,
): Promise<void> {
  for (const column of resource.columns) {
    const ids = (values as Named)[column.name];
    if (column.kind === 'reference' && typeof ids === 'number') await requireSeen(database, column, ids);
    if (column.kind !== 'references' || !Array.isArray(ids) || ids.length === 0) continue;
    const target = resourceIfAny(column.references ?? '');
    const known = target ? await database.read<{ id: number }>(naming(target, ids, 'ORDER BY r.id FOR KEY SHARE')) : [];
    const unknown = (ids as number[]).find((id) => !known.some((row) => row.id === id));
    if (unknown !== undefined)
      invalid(column.name, 'not_found', `"${column.name}" names ${unknown}, which does not exist.`);
  }
}

/** 422 for a record that the caller does not see, as for one that is not there; of those that are seen, the foreign key knows. */
async function requireSeen(database: Database, { name, references }: ColumnSpec, id: number): Promise<void> {
  const target = resourceIfAny(references ?? '');
  if (!target || andSeen(target.name, 'r') === '') return;
  const known = await database.read(naming(target, [id]));
  // In the words of the foreign key, which tell the same of what nobody sees.
  if (known.length === 0) invalid(name, 'not_found', `"${name}" names a record that does not exist.`);
}

function naming({ name, table }: Resource, ids: readonly unknown[], tail = ''): Query<{ id: number }> {
  const text = `SELECT r.id FROM ${table} r WHERE r.workspace_id = $1 AND r.id = ANY($2::bigint[])${andSeen(name, 'r')} ${tail}`;
  return filled({ text, values: [currentWorkspaceId(), ids] });
}

function unchanged(resource: Resource, name: string, before: object | null, value: unknown): boolean {
  const column = resource.column.get(name);
  const was = (before as Named | null)?.[name];
  return column ? sameValue(column, was, value) : JSON.stringify(was ?? null) === JSON.stringify(value ?? null);
}

function refuse(name: string): never {
  invalid(name, 'immutable', `"${name}" is set by the service and cannot be changed.`);
}
