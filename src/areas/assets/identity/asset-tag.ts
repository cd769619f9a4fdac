import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';

/** `AST-000123`. */
export function assetTag(number: number): string {
  return `AST-${String(number).padStart(6, '0')}`;
}

/** Numbers drawn at once: after a collision there may be many, where an inventory was imported with its tags. */
const DRAWS = [1, 10, 100, 1_000, 10_000] as const;

/** The next tag that no asset has, whatever the case of those given by hand. Inside the unit of work. */
export async function nextAssetTag(database: Database): Promise<string> {
  for (const count of DRAWS) {
    const [free] = await database.query<{ number: number }>(
      `SELECT d.number FROM (SELECT next_number('asset') AS number FROM generate_series(1, $2::integer) OFFSET 0) d
       WHERE NOT EXISTS (
         SELECT FROM assets a WHERE a.workspace_id = $1
           AND a.asset_tag_key = 'ast-' || CASE WHEN d.number < 1000000 THEN lpad(d.number::text, 6, '0') ELSE d.number::text END)
       ORDER BY d.number LIMIT 1`,
      [currentWorkspaceId(), count],
    );
    if (free) return assetTag(free.number);
  }
  throw new Error('No free asset tag among the next ten thousand.');
}
