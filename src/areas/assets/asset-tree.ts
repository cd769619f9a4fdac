import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import { invalid } from '../../platform/http/errors';
import { MAX_LEVELS } from './asset-values';

/**
 * Refuses a parent that does not exist, that is a part of the asset, or that leaves less room than its parts need. Needs
 * the lock on `assets`: two moves at once could close a circle.
 *
 * @param id null for a new asset
 */
export async function checkPlace(database: Database, id: number | null, parentId: number): Promise<void> {
  if (parentId === id) invalid('parent_id', 'cycle', 'An asset cannot be part of itself.');
  const [tree] = await database.query<{ above: number; cycle: boolean; height: number }>(
    `WITH RECURSIVE above AS (
       SELECT id, parent_id FROM assets WHERE workspace_id = $1 AND id = $2
       UNION SELECT a.id, a.parent_id FROM assets a JOIN above b ON a.workspace_id = $1 AND a.id = b.parent_id
     ), below AS (
       SELECT $3::bigint AS id, 1 AS level
       UNION SELECT a.id, b.level + 1 FROM assets a JOIN below b ON a.workspace_id = $1 AND a.parent_id = b.id
     )
     SELECT (SELECT count(*) FROM above) AS above, EXISTS (SELECT FROM above WHERE id = $3) AS cycle,
            (SELECT max(level) FROM below) AS height`,
    [currentWorkspaceId(), parentId, id],
  );
  if (!tree || tree.above === 0) invalid('parent_id', 'not_found', '"parent_id" names an asset that does not exist.');
  if (tree.cycle) invalid('parent_id', 'cycle', '"parent_id" names an asset that is part of this one.');
  if (tree.above + tree.height > MAX_LEVELS) {
    invalid('parent_id', 'max_depth', `Assets are nested at most ${MAX_LEVELS} levels deep.`, { max: MAX_LEVELS });
  }
}
