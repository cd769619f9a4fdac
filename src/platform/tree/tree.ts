import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import { invalid } from '../errors/api-error';
import { andSeen, filled } from '../resource/read/sight';
import type { Resource } from '../resource/resource';

type Named = Pick<Resource, 'name' | 'table' | 'singular'>;

/**
 * Refuses a `parent_id` that names no record that the caller sees, one below the record itself, or one that leaves less room than the record's
 * own sub-tree needs. Needs the lock on the tree (`Store.holding`): two moves at once could close a circle.
 *
 * @param id null for a new record
 * @param maxLevels most levels of the tree, the topmost included
 */
export async function requirePlaceInTree(
  database: Database,
  resource: Named,
  id: number | null,
  parentId: number,
  maxLevels: number,
): Promise<void> {
  const { name, table } = resource;
  const noun = nounOf(resource);
  if (parentId === id) invalid('parent_id', 'cycle', `"parent_id" names the ${noun} itself.`);
  const { text, values } = filled({
    text: `WITH RECURSIVE above AS (
       SELECT t.id, t.parent_id FROM ${table} t WHERE t.workspace_id = $1 AND t.id = $2${andSeen(name, 't')}
       UNION SELECT t.id, t.parent_id FROM ${table} t JOIN above a ON t.workspace_id = $1 AND t.id = a.parent_id
     ), below AS (
       SELECT $3::bigint AS id, 1 AS level
       UNION SELECT t.id, b.level + 1 FROM ${table} t JOIN below b ON t.workspace_id = $1 AND t.parent_id = b.id
     )
     SELECT (SELECT count(*) FROM above) AS above, EXISTS (SELECT FROM above WHERE id = $3) AS cycle,
            (SELECT max(level) FROM below) AS height`,
    values: [currentWorkspaceId(), parentId, id],
  });
  const [tree] = await database.query<{ above: number; cycle: boolean; height: number }>(text, values);
  if (!tree || tree.above === 0) invalid('parent_id', 'not_found', '"parent_id" names a record that does not exist.');
  if (tree.cycle) invalid('parent_id', 'cycle', `"parent_id" lies below this ${noun}.`);
  if (tree.above + tree.height > maxLevels) {
    invalid('parent_id', 'max_depth', `There are at most ${maxLevels} levels.`, { max: maxLevels });
  }
}

/** The record that is to take over what belongs to one that goes: `?reassign_to=<id>`, another one that the caller sees. */
export async function requireHeir(database: Database, resource: Named, id: number, heir: number): Promise<number> {
  const noun = nounOf(resource);
  if (heir === id) invalid('reassign_to', 'invalid', `"reassign_to" must name another ${noun}.`);
  const { text, values } = filled({
    text: `SELECT 1 FROM ${resource.table} t WHERE t.workspace_id = $1 AND t.id = $2${andSeen(resource.name, 't')}`,
    values: [currentWorkspaceId(), heir],
  });
  const rows = await database.query(text, values);
  if (rows.length === 0) invalid('reassign_to', 'not_found', `"reassign_to" names no ${noun} that exists.`);
  return heir;
}

function nounOf({ singular }: Named): string {
  return singular.replace(/^kb_/, '').replaceAll('_', ' ');
}
