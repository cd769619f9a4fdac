/**
 * SQL of the policy that applies to a ticket, as `{id, targets}`: the company's, else the category's, else the
 * workspace's default. `$1` must be the workspace.
 *
 * @param company SQL of the company's id; null = the ticket has none
 * @param category SQL of the category's id; null = the ticket has none
 */
export function matchedPolicySql(company: string | null, category: string | null): string {
  const policy = `SELECT json_build_object('id', p.id, 'targets', p.targets) FROM sla_policies p`;
  if (company === null && category === null) return `${policy} WHERE p.workspace_id = $1 AND p.is_default`;
  return `${policy}
    LEFT JOIN companies c ON c.workspace_id = p.workspace_id AND c.id = ${company ?? 'NULL'} AND c.sla_policy_id = p.id
    LEFT JOIN categories g ON g.workspace_id = p.workspace_id AND g.id = ${category ?? 'NULL'} AND g.sla_policy_id = p.id
    WHERE p.workspace_id = $1 AND (p.is_default OR ((c.id IS NOT NULL OR g.id IS NOT NULL) AND p.is_active))
    ORDER BY (c.id IS NOT NULL) DESC, (g.id IS NOT NULL) DESC LIMIT 1`;
}
