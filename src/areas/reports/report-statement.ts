import { currentSight } from '../../platform/context/demand';
import { type Query, sql } from '../../platform/postgres/statement-batch';
import { filled, isReadable, seenRecord } from '../../platform/resource/read/sight';
import { resourceIfAny } from '../../platform/resource/resource';
import { type Group, groupSpec } from './report-groups';
import type { ReportSpec } from './report-kinds';

/** Rows of a report; more are cut off, and counted in its total all the same. */
export const MAX_ROWS = 10_000;

/** A row as it is read: keys and figures by name. */
export type ReportRow = Readonly<Record<string, string | number | null>>;

/** What is asked for. */
export interface Asked {
  groups: readonly Group[];
  /** ISO 8601, `[from, to)`. */
  from: string;
  to: string;
  /** IANA name. */
  timezone: string;
}

/** Names of the members of a row, in their order. */
export function membersOf(spec: ReportSpec, groups: readonly Group[]): string[] {
  const keys = groups.map(groupSpec).flatMap(({ member, named }) => [member, ...(named ? [named.member] : [])]);
  return [...keys, ...Object.keys(spec.figures)];
}

/** The total first, then the groups in the order of their keys: one look at the facts of the tickets that the caller sees. */
export function reportStatement(
  spec: ReportSpec,
  workspaceId: number,
  { groups, from, to, timezone }: Asked,
): Query<{ is_total: boolean; row: ReportRow }> {
  const keys = groups.map(groupSpec).map((key, index) => ({ ...key, column: `key_${index}` }));
  const ticket = keys.some(({ ofTicket }) => ofTicket)
    ? 'LEFT JOIN tickets t ON t.workspace_id = $1 AND t.id = f.ticket_id'
    : '';
  const columns = keys.map(({ sql: key, column }) => `, ${key} AS ${column}`).join('');
  const figures = Object.entries(spec.figures).map(([name, figure]) => `${figure} AS ${name}`);
  const list = keys.map(({ column }) => column);
  const sight = currentSight();
  const record = sight && seenRecord('tickets', 'f.ticket_id', '$1', sight);
  const seen = record ? ` AND ${record}` : '';
  const grouping = list.length === 0 ? '' : `GROUP BY GROUPING SETS ((${list.join(', ')}), ())`;
  const isTotal = list.length === 0 ? 'true' : `grouping(${list[0] ?? ''}) = 1`;
  const members = [
    ...keys.flatMap(({ member, column, named }) => [
      `'${member}', g.${column}`,
      ...(named ? [`'${named.member}', ${nameOf(named.table, `g.${column}`)}`] : []),
    ]),
    ...Object.keys(spec.figures).map((name) => `'${name}', g.${name}`),
  ];
  const order = keys.map(({ member, column }) => `${orderOf(member, `g.${column}`)} NULLS LAST`);
  const text = `
    WITH f AS MATERIALIZED (SELECT f.*${columns} FROM (${spec.facts}) f ${ticket} WHERE $4::text IS NOT NULL${seen}),
    g AS (SELECT ${[`${isTotal} AS is_total`, ...list, ...figures].join(', ')} FROM f ${grouping})
    SELECT g.is_total, json_build_object(${members.join(', ')}) AS row FROM g
    ORDER BY ${['g.is_total DESC', ...order].join(', ')} LIMIT ${MAX_ROWS + 2}`;
  return filled(sql(text, [workspaceId, from, to, timezone]));
}

/** The name of a record, for those who may read it. */
function nameOf(table: string, id: string): string {
  const resource = resourceIfAny(table);
  if (!resource || !isReadable(resource, currentSight())) return 'NULL';
  return `(SELECT x.name FROM ${table} x WHERE x.workspace_id = $1 AND x.id = ${id})`;
}

function orderOf(member: string, column: string): string {
  return member === 'priority' ? `array_position(ARRAY['urgent', 'high', 'medium', 'low'], ${column})` : column;
}
