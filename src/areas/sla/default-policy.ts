/** SQL of columns of the workspace's default policy; no row while there is none. `$1` is the workspace. */
export function defaultPolicy(columns: string): string {
  return `SELECT ${columns} FROM sla_policies WHERE workspace_id = $1 AND is_default`;
}
