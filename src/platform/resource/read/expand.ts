import { type Resource, resourceIfAny, selectList } from '../resource';

/**
 * Select-list items for one relation of `resource`, as correlated sub-selects inside the same statement: constant
 * number of statements whatever the page size. A capped to-many relation also yields `<name>_truncated`.
 */
export function relationColumns(resource: Resource, name: string, alias: string): string {
  const relation = resource.expand[name];
  if (!relation) throw new Error(`${resource.name} has no relation "${name}".`);
  if ('sql' in relation) return `(${relation.sql(alias)}) AS ${name}`;
  const target = resourceIfAny('one' in relation ? relation.one : relation.many);
  if (!target) return `NULL AS ${name}`;
  const list = selectList(
    target,
    target.columns.map((column) => column.name),
    'x',
  );
  if ('one' in relation) {
    return `(SELECT row_to_json(e) FROM (SELECT ${list} FROM ${target.table} x WHERE x.workspace_id = ${alias}.workspace_id AND x.id = ${alias}.${relation.by}) e) AS ${name}`;
  }
  const filter = [
    `x.workspace_id = ${alias}.workspace_id`,
    `x.${relation.by} = ${alias}.id`,
    ...(relation.where ? [relation.where('x')] : []),
  ].join(' AND ');
  const newest = `SELECT ${list}, x.${relation.order} AS sort_key FROM ${target.table} x WHERE ${filter} ORDER BY x.${relation.order} DESC, x.id DESC LIMIT ${relation.limit}`;
  const fields = target.columns.map((column) => `n.${column.name}`).join(', ');
  return (
    `(SELECT coalesce(json_agg(row_to_json(e)), '[]'::json) FROM (SELECT ${fields} FROM (${newest}) n ORDER BY n.sort_key, n.id) e) AS ${name}, ` +
    `(SELECT count(*) > ${relation.limit} FROM (SELECT 1 FROM ${target.table} x WHERE ${filter} LIMIT ${relation.limit + 1}) c) AS ${name}_truncated`
  );
}
