import type { Sight } from '../../context/principal';
import { CUSTOM_FIELDS } from '../../fields/field-definition';
import { type Resource, resourceIfAny, selectList, shownExpression } from '../resource';
import type { Selection } from './selection';
import { isReadable, toldRows } from './sight';

/** Select list of a record as the client asked for it, over `alias`, and what it is FROM besides. */
export function recordSelect(resource: Resource, selection: Selection, alias: string): string {
  const { fields, keys, expand, sight } = selection;
  const columns = fields.map((name) =>
    name === CUSTOM_FIELDS && keys !== null
      ? `${partOf(shownExpression(resource, name, alias, sight), keys)} AS ${name}`
      : selectList(resource, [name], alias, sight),
  );
  const relations = expand.map((name) => relationOf(resource, name, alias, sight));
  const shown = [...columns, ...relations.map((relation) => relation.columns)].join(', ');
  const from = relations.flatMap((relation) => relation.from ?? []);
  return from.length === 0 ? shown : `${shown} FROM ${from.join(' CROSS JOIN ')}`;
}

/** Those of the members of an object (jsonb) that it has. @param keys words, as keys of custom fields are */
function partOf(object: string, keys: readonly string[]): string {
  return `jsonb_strip_nulls(jsonb_build_object(${keys.map((key) => `'${key}', ${object} -> '${key}'`).join(', ')}))`;
}

/** Select-list items of one relation, and the FROM item that these are of, if any. */
interface RelationSelect {
  columns: string;
  from?: string;
}

/**
 * One relation of `resource`, as a correlated part of the same statement: constant number of statements whatever the page size. A capped
 * to-many relation also yields `<name>_truncated`: one more than are shown is looked for.
 */
function relationOf(resource: Resource, name: string, alias: string, sight: Sight | null): RelationSelect {
  const relation = resource.expand[name];
  if (!relation) throw new Error(`${resource.name} has no relation "${name}".`);
  if ('sql' in relation) {
    const shown = relation.of && resourceIfAny(relation.of.resource);
    const sql = relation.of && shown && !isReadable(shown, sight) ? relation.of.hidden : relation.sql;
    return { columns: `(${sql(alias)}) AS ${name}` };
  }
  const target = resourceIfAny('one' in relation ? relation.one : relation.many);
  if (!target) return { columns: `NULL AS ${name}` };
  const list = selectList(
    target,
    target.columns.map((column) => column.name),
    'x',
    sight,
  );
  const seen = toldRows(target, 'x', sight);
  if ('one' in relation) {
    const andSeen = seen === null ? '' : ` AND ${seen}`;
    const record = `SELECT row_to_json(e) FROM (SELECT ${list} FROM ${target.table} x WHERE x.workspace_id = ${alias}.workspace_id AND x.id = ${alias}.${relation.by}${andSeen}) e`;
    return { columns: `(${record}) AS ${name}` };
  }
  const { by, where, order, limit, counted } = relation;
  const filter = [
    `x.workspace_id = ${alias}.workspace_id`,
    `x.${by} = ${alias}.id`,
    ...(counted === undefined ? [] : [`${alias}.${counted} > 0`]),
    ...(where ? [where('x')] : []),
    ...(seen === null ? [] : [seen]),
  ].join(' AND ');
  const newest = `SELECT row_to_json(e) AS record, x.${order} AS sort_key, x.id, row_number() OVER (ORDER BY x.${order} DESC, x.id DESC) AS place
    FROM ${target.table} x CROSS JOIN LATERAL (SELECT ${list}) e WHERE ${filter} ORDER BY x.${order} DESC, x.id DESC LIMIT ${limit + 1}`;
  const records = `coalesce(json_agg(n.record ORDER BY n.sort_key, n.id) FILTER (WHERE n.place <= ${limit}), '[]'::json)`;
  const of = `of_${name}`;
  return {
    columns: `${of}.records AS ${name}, ${of}.more AS ${name}_truncated`,
    from: `LATERAL (SELECT ${records} AS records, count(*) > ${limit} AS more FROM (${newest}) n) ${of}`,
  };
}
