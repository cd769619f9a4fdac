import { currentOrNone } from '../../context/current';
import { currentSight, refuse } from '../../context/demand';
import type { Sight } from '../../context/principal';
import { eventKind } from '../../events/event-catalogue';
import type { Statement } from '../../postgres/statement-batch';
import { allResources, type Resource, resourceIfAny } from '../resource';

/*
 * The one place where what a caller sees becomes SQL. Conditions say `{me}` and `{teams}` for the caller, so that the
 * text of a statement depends on the kind of limits alone; `filled` puts parameters in their place, last of all.
 */

const MARK = /\{(me|teams)\}/g;
const TYPES = { me: 'bigint', teams: 'bigint[]' } as const;
type Mark = keyof typeof TYPES;

/** Condition over `alias` that the caller sees the row; null = they see all of them. */
export function seenRows({ sight: { rows, unlimited } }: Resource, alias: string, sight: Sight | null): string | null {
  return (sight ? rows?.(sight, alias) : unlimited?.(alias)) ?? null;
}

/** The same of records that something else tells of: none where the role does not let the caller read them. */
export function toldRows(resource: Resource, alias: string, sight: Sight | null): string | null {
  return isReadable(resource, sight) ? seenRows(resource, alias, sight) : 'false';
}

/** `seenRows` with AND before it, of the records of that name; empty when all are seen. For statements of an area's own. */
export function andSeen(name: string, alias: string, sight = currentSight()): string {
  const resource = resourceIfAny(name);
  const condition = resource ? seenRows(resource, alias, sight) : null;
  return condition === null ? '' : ` AND ${condition}`;
}

/** Condition that the caller sees the record that `id` names; null = they see them all. */
export function seenRecord(name: string, id: string, workspace: string, sight: Sight): string | null {
  const resource = resourceIfAny(name);
  const alias = `seen_${name}`;
  const condition = resource ? seenRows(resource, alias, sight) : null;
  if (!resource || condition === null) return null;
  return `EXISTS (SELECT FROM ${resource.table} ${alias} WHERE ${alias}.workspace_id = ${workspace} AND ${alias}.id = ${id} AND ${condition})`;
}

/** Rows that belong to records of another resource are seen by who sees those. */
export function seenThrough(name: string, column: string): (sight: Sight, alias: string) => string | null {
  return (sight, alias) => seenRecord(name, `${alias}.${column}`, `${alias}.workspace_id`, sight);
}

/** The same of rows that belong to at most one of several: `{ ticket_id: 'tickets' }`. Those of nothing are seen by everybody. */
export function seenThroughAny(
  references: Readonly<Record<string, string>>,
): (sight: Sight, alias: string) => string | null {
  return (sight, alias) => {
    const conditions = Object.entries(references).flatMap(([column, name]) => {
      const [resource, reference] = [resourceIfAny(name), `${alias}.${column}`];
      const isHidden = resource !== undefined && !isReadable(resource, sight);
      const seen = isHidden ? 'false' : seenRecord(name, reference, `${alias}.workspace_id`, sight);
      return seen === null ? [] : [`(${reference} IS NULL OR ${seen})`];
    });
    return conditions.length === 0 ? null : `(${conditions.join(' AND ')})`;
  };
}

/**
 * Condition on rows that tell of records of any kind (events, the audit log): what the caller may not read, or does not see, is not
 * told of, nor of what they do not see the past of. `object` and `id` are SQL of the singular name and the id of the record.
 */
export function seenObjects(sight: Sight, object: string, id: string, workspace: string): string | null {
  const conditions: string[] = [];
  const hidden: string[] = [];
  for (const resource of allResources().filter(isTold)) {
    if (!isReadable(resource, sight) || resource.sight.past?.(sight) === false) hidden.push(`'${resource.singular}'`);
    else {
      const seen = seenRecord(resource.name, id, workspace, sight);
      if (seen !== null) conditions.push(`(${object} <> '${resource.singular}' OR ${seen})`);
    }
  }
  if (hidden.length > 0) conditions.push(`${object} NOT IN (${hidden.join(', ')})`);
  return conditions.length === 0 ? null : `(${conditions.join(' AND ')})`;
}

/** Whether events tell of its records; logs and parts of other records have none. */
function isTold({ told }: Resource): boolean {
  return Object.values(told).some((type) => type !== null && eventKind(type) !== undefined);
}

/** In place of a number of records that was counted beforehand: those that the caller sees; null = the number as it is. */
export function seenCount(name: string, sight: Sight, row: string, of: (alias: string) => string): string | null {
  const resource = resourceIfAny(name);
  const condition = resource ? toldRows(resource, 'n', sight) : null;
  if (!resource || condition === null) return null;
  return `(SELECT count(*) FROM ${resource.table} n WHERE n.workspace_id = ${row}.workspace_id AND ${of('n')} AND ${condition})`;
}

/** Whether the role lets the caller read the resource at all. */
export function isReadable({ reading }: Resource, sight: Sight | null): boolean {
  return sight?.allows(reading) ?? true;
}

/** Refuses (403) a list of what the role does not let the caller read, wherever the list stands. */
export function requireReadable(resource: Resource): void {
  if (isReadable(resource, currentSight())) return;
  const { reading: permission } = resource;
  refuse(`This list needs the permission "${permission}".`, { field: 'role', code: 'permission', permission });
}

/**
 * Puts parameters in place of what stands for the caller.
 *
 * @param bound how many parameters the text has
 */
export function withMarks(text: string, bound: number): { text: string; marks: readonly Mark[] } {
  const marks = [...new Set([...text.matchAll(MARK)].map(([, mark]) => mark as Mark))];
  if (marks.length === 0) return { text, marks };
  const place = (mark: Mark): string => `$${bound + marks.indexOf(mark) + 1}::${TYPES[mark]}`;
  return { text: text.replace(MARK, (_whole, mark: Mark) => place(mark)), marks };
}

/** What the marks stand for in this request. */
export function markValues(marks: readonly Mark[]): unknown[] {
  if (marks.length === 0) return [];
  const user = currentOrNone()?.principal?.user;
  const values = { me: user?.id ?? null, teams: user?.team_ids ?? [] };
  return marks.map((mark) => values[mark]);
}

/** A statement with what stands for the caller filled in. */
export function filled<S extends Statement>(statement: S): S {
  const { text: whole, values = [] } = statement;
  if (!whole.includes('{me}') && !whole.includes('{teams}')) return statement;
  const { text, marks } = withMarks(whole, values.length);
  return { ...statement, text, values: [...values, ...markValues(marks)] };
}
