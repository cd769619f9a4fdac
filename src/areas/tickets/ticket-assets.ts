import { type SqlRelation, resourceIfAny, selectList } from '../../platform/resource/resource';

/** SQL of the ids of the current workspace's tickets that name an asset. */
export function ticketsWith(asset: string): string {
  return `SELECT v.id FROM tickets_search v WHERE v.asset_ids && ARRAY[${asset}] AND v.asset_ids <> '{}'`;
}

/** `expand=assets`: the assets that a ticket names, in its order; many tickets in one statement. */
export const assetsRelation: SqlRelation = {
  sql: (t) => {
    const assets = resourceIfAny('assets');
    if (!assets) return `'[]'::json`;
    const columns = assets.columns.map(({ name }) => name);
    const named = `unnest(${t}.asset_ids) WITH ORDINALITY AS n (id, place)`;
    const one = `CROSS JOIN LATERAL (SELECT ${selectList(assets, columns, 'x')} FROM ${assets.table} x WHERE x.workspace_id = ${t}.workspace_id AND x.id = n.id) e`;
    return `SELECT coalesce(json_agg(row_to_json(e) ORDER BY n.place), '[]'::json) FROM ${named} ${one}`;
  },
  of: { resource: 'assets', hidden: () => `SELECT '[]'::json` },
  schema: { type: 'array', items: { type: 'object', additionalProperties: true }, description: 'The assets it names.' },
};
