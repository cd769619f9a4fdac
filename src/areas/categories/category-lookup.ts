/**
 * SQL of what a new ticket takes from a category, as a JSON object: `default_priority`, `default_team_id` and
 * `default_assignee_id`; null when there is none. `$1` is the workspace.
 *
 * @param id SQL of the category's id
 */
export function categoryDefaults(id: string): string {
  return `(SELECT row_to_json(g) FROM (SELECT default_priority, default_team_id, default_assignee_id FROM categories WHERE workspace_id = $1 AND id = ${id}) g)`;
}

/** SQL of whom tickets of a category are escalated to, column `id`; `$1` is the workspace. */
export function categoryEscalatesTo(id: string): string {
  return `SELECT escalate_to_user_id AS id FROM categories WHERE workspace_id = $1 AND id = ${id}`;
}
