import { workspacePredicate } from '../database/database';
import type { Statement } from '../postgres/statement-batch';
import {
  type Changes,
  type EventDraft,
  eventInsertOfEach,
  eventInsertPerRecord,
  type Related,
} from '../events/event-rows';
import { type ColumnSpec, selectExpression } from '../columns/column-spec';
import { Parameters } from '../database/parameters';
import { type Resource, selectList } from './resource';
import { wholeSelection } from './read/selection';
import { type Alongside, parameterOf, type Sql, type Values } from './write-plan';

/** What many records undergo at once; see `changeMany`. */
export interface ManyPlan {
  /** SQL over `m`, the record before the change; must no longer hold after it. */
  condition: Sql;
  values: Values;
  /** Values that follow from the record: SQL over `m`. */
  expressions: Readonly<Record<string, Sql>>;
  /** Event types, in order. */
  events: readonly string[];
  /** From and to of the values; those of the expressions are each record's own. */
  changes: Changes;
  /** What belongs to the events of all. */
  related?: Related;
}

/** Changes up to `limit` records in one statement, each with its own event rows; answers one row: how many it changed. */
export function manyStatement(resource: Resource, workspaceId: number, plan: ManyPlan, limit: number): Statement {
  const { values: parameters, bind } = new Parameters(workspaceId);
  const { values, expressions, changes } = plan;
  const computed = Object.keys(expressions);
  const told = computed.flatMap((name) => resource.column.get(name) ?? []);
  const next = Object.entries(expressions).map(([name, sql]) => `, ${sql(bind)} AS next_${name}`);
  const was = told.map((column) => `, ${selectExpression(column, 'm')} AS was_${column.name}`);
  const chosen = `SELECT m.id${next.join('')}${was.join('')} FROM ${resource.table} m WHERE ${workspacePredicate.of('m.workspace_id', '$1')} AND ${plan.condition(bind)} ORDER BY m.id LIMIT ${limit} FOR UPDATE`;
  const assignments = [
    ...Object.keys(values).map((name) => `${name} = ${bind(parameterOf(resource, name, values[name]))}`),
    ...computed.map((name) => `${name} = chosen.next_${name}`),
  ];
  const kept = told.map(({ name }) => `, chosen.was_${name}`);
  const change = `UPDATE ${resource.table} u SET ${[...assignments, 'version = version + 1', 'updated_at = now()'].join(', ')} FROM chosen WHERE ${workspacePredicate.of('u.workspace_id', '$1')} AND u.id = chosen.id RETURNING u.*${kept.join('')}`;
  const list = selectList(resource, wholeSelection(resource).fields, 't');
  const record = `SELECT t.id, row_to_json(r) AS body, ${changesSql(changes, told, bind)} AS changes FROM t CROSS JOIN LATERAL (SELECT ${list}) r`;
  const more = resource.beside?.(changes)(bind);
  const log = eventInsertPerRecord(resource.singular, 'record', plan.events, bind, plan.related ?? null);
  return {
    text: `WITH chosen AS MATERIALIZED (${chosen}), t AS (${change}), record AS MATERIALIZED (${record}), ${more === undefined ? '' : `${more}, `}${log} SELECT count(*) AS changed FROM record`,
    values: parameters,
    unnamed: true,
  };
}

/** SQL over `t`, the record as written, of from and to: the same for all records, and what each of them had. */
function changesSql(changes: Changes, told: readonly ColumnSpec[], bind: (value: unknown) => string): string {
  if (told.length === 0) return `${bind(JSON.stringify(changes))}::json`;
  const members = [
    ...Object.entries(changes).map(([name, change]) => `${bind(JSON.stringify(change))}::json AS ${name}`),
    ...told.map(
      (column) =>
        `(SELECT row_to_json(d) FROM (SELECT t.was_${column.name} AS "from", ${selectExpression(column, 't')} AS "to") d) AS ${column.name}`,
    ),
  ];
  return `(SELECT row_to_json(c) FROM (SELECT ${members.join(', ')}) c)`;
}

/** What becomes of one locked record among many, of any workspaces. */
export interface RecordChange {
  workspace_id: number;
  id: number;
  /** Values by column, the same columns for every record; moments in ISO 8601. */
  values: Values;
  /** Whether it is a change that clients see: only then the record has a new version. */
  counts: boolean;
  /** Events by moment: those of one list are told as one logical change. */
  events: readonly (readonly EventDraft[])[];
}

/**
 * Writes many records, each with values and events of its own, in one statement. `alongside` sees them as `t`; `$1` is no
 * workspace here.
 */
export function eachStatement(
  resource: Resource,
  all: readonly RecordChange[],
  alongside: Alongside | null,
): Statement {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const names = Object.keys(all[0]?.values ?? {});
  const rows = all.map(({ workspace_id, id, counts, values }) => ({
    ...values,
    workspace_id,
    id,
    version: Number(counts),
  }));
  const change =
    `UPDATE ${resource.table} u SET ${names.map((name) => `${name} = v.${name}, `).join('')}version = u.version + v.version, ` +
    `updated_at = CASE WHEN v.version > 0 THEN now() ELSE u.updated_at END ` +
    `FROM json_populate_recordset(NULL::${resource.table}, ${bind(JSON.stringify(rows))}::json) v ` +
    `WHERE u.workspace_id = v.workspace_id AND u.id = v.id RETURNING u.*`;
  const list = selectList(resource, wholeSelection(resource).fields, 't');
  const more = alongside?.(bind) ?? '';
  const told = all.flatMap(({ workspace_id, id, events }) => events.map((drafts) => ({ workspace_id, id, drafts })));
  const parts = [
    `t AS (${change})`,
    `record AS MATERIALIZED (SELECT t.workspace_id, t.id, row_to_json(r) AS body FROM t CROSS JOIN LATERAL (SELECT ${list}) r)`,
    ...(more === '' ? [] : [more]),
    ...(told.length === 0 ? [] : [eventInsertOfEach(resource.singular, 'record', told, bind)]),
  ];
  return { text: `WITH ${parts.join(', ')} SELECT count(*) FROM record`, values: parameters, unnamed: true };
}
