import { workspacePredicate } from '../database/database';
import type { Statement } from '../postgres/statement-batch';
import { type EventDraft, eventInsert, type Related } from '../events/event-rows';
import { Parameters } from '../database/parameters';
import { selectList, type Resource } from './resource';
import { wholeSelection } from './read/selection';

/** Values by column, private ones included, to be walked over. */
export type Values = Readonly<Record<string, unknown>>;

/** A piece of SQL. @param bind adds a parameter and returns its placeholder */
export type Sql = (bind: (value: unknown) => string) => string;

/**
 * SQL (members of a WITH list) that writes rows of other tables in the statement of the record; the record as written is
 * `t`. `$1` is the workspace.
 */
export type Alongside = Sql;

/** What a write does beside it. */
export interface Beside {
  /** Records that belong to all its events. */
  related?: Related | null | undefined;
  alongside?: Alongside | undefined;
  /** `ON CONFLICT …` of an insert. */
  onConflict?: string;
  /** Its events stand in the log, and nobody is told. */
  quiet?: boolean | undefined;
}

/**
 * Statements that write one record: the change, its JSON as GET would show it, and its event rows, in one statement.
 * They answer one row: `body`, `id`, `version`; no row when the record does not exist.
 */
export function insertStatement(
  resource: Resource,
  workspaceId: number,
  values: Values,
  events: readonly EventDraft[],
  { related = null, alongside, onConflict = '' }: Beside = {},
): Statement {
  const { values: parameters, bind } = new Parameters(workspaceId);
  const names = Object.keys(values);
  const placeholders = names.map((name) => bind(parameterOf(resource, name, values[name])));
  const change = `INSERT INTO ${resource.table} (workspace_id, ${names.join(', ')}) VALUES ($1, ${placeholders.join(', ')}) ${onConflict} RETURNING *`;
  return { text: withRecord(resource, change, events, bind, related, alongside), values: parameters };
}

export function updateStatement(
  resource: Resource,
  workspaceId: number,
  id: number,
  values: Values,
  events: readonly EventDraft[],
  { related = null, alongside, quiet }: Beside = {},
): Statement {
  const { values: parameters, bind } = new Parameters(workspaceId);
  const assignments = Object.keys(values).map((name) => `${name} = ${bind(parameterOf(resource, name, values[name]))}`);
  // A moment of another system stays what it is.
  const dated = 'updated_at' in values ? [] : ['updated_at = now()'];
  const change = `UPDATE ${resource.table} SET ${[...assignments, 'version = version + 1', ...dated].join(', ')} WHERE ${workspacePredicate.of('workspace_id', '$1')} AND id = ${bind(id)} RETURNING *`;
  return { text: withRecord(resource, change, events, bind, related, alongside, quiet), values: parameters };
}

/** The JSON is taken before the row goes, so that computed columns still see its neighbours. */
export function deleteStatement(
  resource: Resource,
  workspaceId: number,
  id: number,
  events: readonly EventDraft[],
): Statement {
  const { values: parameters, bind } = new Parameters(workspaceId);
  const change = `DELETE FROM ${resource.table} WHERE ${workspacePredicate.of('workspace_id', '$1')} AND id = ${bind(id)} RETURNING *`;
  return { text: withRecord(resource, change, events, bind, null), values: parameters };
}

/** The event rows of a change whose record is not written itself, e.g. a comment on a ticket. */
export function eventOnlyStatement(
  resource: Resource,
  workspaceId: number,
  id: number,
  events: readonly EventDraft[],
  { related = null, quiet }: Beside = {},
): Statement {
  const { values: parameters, bind } = new Parameters(workspaceId);
  const change = `SELECT * FROM ${resource.table} WHERE ${workspacePredicate.of('workspace_id', '$1')} AND id = ${bind(id)}`;
  return { text: withRecord(resource, change, events, bind, related, undefined, quiet), values: parameters };
}

/** JSON takes text: an array would otherwise travel as a PostgreSQL array. Objects are JSON in private columns too. */
export function parameterOf(resource: Resource, name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const isObject = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
  return isObject || resource.column.get(name)?.kind === 'json' ? JSON.stringify(value) : value;
}

const records = new WeakMap<Resource, string>();

/** The row `t` with its JSON; the same text for every write of a resource. */
function recordOf(resource: Resource): string {
  let text = records.get(resource);
  if (text === undefined) {
    const list = selectList(resource, wholeSelection(resource).fields, 't');
    text = `SELECT t.id, t.version, row_to_json(r) AS body FROM t CROSS JOIN LATERAL (SELECT ${list}) r`;
    records.set(resource, text);
  }
  return text;
}

function withRecord(
  resource: Resource,
  change: string,
  events: readonly EventDraft[],
  bind: (value: unknown) => string,
  related: Related | null,
  alongside?: Alongside,
  quiet = false,
): string {
  const record = recordOf(resource);
  const log = events.length ? `, ${eventInsert(resource.singular, 'record', events, bind, related, quiet)}` : '';
  const more = alongside ? `, ${alongside(bind)}` : '';
  return `WITH t AS (${change}), record AS MATERIALIZED (${record})${log}${more} SELECT body::text, id, version FROM record`;
}
