import type { Sight } from '../../context/principal';
import { CUSTOM_FIELDS } from '../../fields/field-definition';
import { type Resource, resourceIfAny, selectList, shownExpression } from '../resource';
import type { Selection } from './selection';
import { isReadable, seenRows } from './sight';

/** Select list of a record as the client asked for it, over `alias`. */
export function recordSelect(resource: Resource, selection: Selection, alias: string): string {
  const { fields, keys, expand, sight } = selection;
  const columns = fields.map((name) =>
    name === CUSTOM_FIELDS && keys !== null
      ? `${partOf(shownExpression(resource, name, alias, sight), keys)} AS ${name}`
      : selectList(resource, [name], alias, sight),
  );
  return [...columns, ...expand.map((name) => relationColumns(resource, name, alias, sight))].join(', ');
}

/** Those of the members of an object (jsonb) that it has. @param keys words, as keys of custom fields are */
function partOf(object: string, keys: readonly string[]): string {
  return `jsonb_strip_nulls(jsonb_build_object(${keys.map((key) => `'${key}', ${object} -> '${key}'`).join(', ')}))`;
}

/**
 * Select-list items for one relation of `resource`, as correlated sub-selects inside the same statement: constant
 * number of statements whatever the page size. A capped to-many relation also yields `<name>_truncated`.
 */
function relationColumns(resource: Resource, name: string, alias: string, sight: Sight | null): string {
  const relation = resource.expand[name];
  if (!relation) throw new Error(`${resource.name} has no relation "${name}".`);
  if ('sql' in relation) {
    const shown = relation.of && resourceIfAny(relation.of.resource);
    return `(${relation.of && shown && !isReadable(shown, sight) ? relation.of.hidden : relation.sql(alias)}) AS ${name}`;
  }
  const target = resourceIfAny('one' in relation ? relation.one : relation.many);
  if (!target) return `NULL AS ${name}`;
  const list = selectList(
    target,
    target.columns.map((column) => column.name),
    'x',
    sight,
  );
  const seen = isReadable(target, sight) ? seenRows(target, 'x', sight) : 'false';
  const andSeen = seen === null ? '' : ` AND ${seen}`;
  if ('one' in relation) {
    return `(SELECT row_to_json(e) FROM (SELECT ${list} FROM ${target.table} x WHERE x.workspace_id = ${alias}.workspace_id AND x.id = ${alias}.${relation.by}${andSeen}) e) AS ${name}`;
  }
  const filter = [
    `x.workspace_id = ${alias}.workspace_id`,
    `x.${relation.by} = ${alias}.id`,
    ...(relation.where ? [relation.where('x')] : []),
    ...(seen === null ? [] : [seen]),
  ].join(' AND ');
  const newest = `SELECT ${list}, x.${relation.order} AS sort_key FROM ${target.table} x WHERE ${filter} ORDER BY x.${relation.order} DESC, x.id DESC LIMIT ${relation.limit}`;
  const fields = target.columns.map((column) => `n.${column.name}`).join(', ');
  return (
    `(SELECT coalesce(json_agg(row_to_json(e)), '[]'::json) FROM (SELECT ${fields} FROM (${newest}) n ORDER BY n.sort_key, n.id) e) AS ${name}, ` +
    `(SELECT count(*) > ${relation.limit} FROM (SELECT 1 FROM ${target.table} x WHERE ${filter} LIMIT ${relation.limit + 1}) c) AS ${name}_truncated`
  );
}
