// Own reads: every ticket of a category that is given asks for its skills, and a repository compiles its SQL each time.
import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';

/**
 * SQL of what a new ticket takes from a category, as a JSON object: `default_priority`, `default_team_id`,
 * `default_assignee_id` and `required_skills`; null when there is none. `$1` is the workspace.
 *
 * @param id SQL of the category's id
 */
export function categoryDefaults(id: string): string {
  return `(SELECT row_to_json(g) FROM (SELECT default_priority, default_team_id, default_assignee_id, required_skills FROM categories WHERE workspace_id = $1 AND id = ${id}) g)`;
}

/** SQL of the team of new tickets of a category; `$1` is the workspace. @param id SQL of the category's id */
export function categoryTeam(id: string): string {
  return `(SELECT default_team_id FROM categories WHERE workspace_id = $1 AND id = ${id})`;
}

/** What it takes to work on the tickets of a category. Inside a unit of work. */
export async function categorySkills(database: Database, id: number): Promise<string[]> {
  const text = 'SELECT required_skills FROM categories WHERE workspace_id = $1 AND id = $2';
  const [category] = await database.query<{ required_skills: string[] }>(text, [currentWorkspaceId(), id]);
  return category?.required_skills ?? [];
}

/** SQL of whom tickets of a category are escalated to, column `id`; `$1` is the workspace. */
export function categoryEscalatesTo(id: string): string {
  return `SELECT escalate_to_user_id AS id FROM categories WHERE workspace_id = $1 AND id = ${id}`;
}
