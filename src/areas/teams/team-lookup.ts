/** SQL of who leads a team, column `id`; `$1` is the workspace. */
export function teamLead(id: string): string {
  return `SELECT lead_user_id AS id FROM teams WHERE workspace_id = $1 AND id = ${id}`;
}
