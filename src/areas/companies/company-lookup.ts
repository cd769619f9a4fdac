import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import type { Company } from './company.entity';

/** What stands on a document for a company; undefined when there is none. Inside a unit of work. */
export async function companyLetterhead(
  database: Database,
  id: number,
): Promise<Pick<Company, 'name' | 'tax_id' | 'address'> | undefined> {
  const text = `SELECT name, tax_id, address FROM companies WHERE workspace_id = $1 AND id = $2`;
  const [company] = await database.query<Pick<Company, 'name' | 'tax_id' | 'address'>>(text, [
    currentWorkspaceId(),
    id,
  ]);
  return company;
}

/**
 * SQL of the id of the oldest active company with a mail domain, in the current workspace. OFFSET 0 keeps the planner on the
 * index of the domains: for the lowest id it would rather walk through all companies.
 *
 * @param domain SQL of the domain
 */
export function companyWithDomain(domain: string): string {
  return `(SELECT min(m.id) FROM (SELECT s.id FROM companies_search s WHERE s.domains @> ARRAY[${domain}::text] AND s.status = 'active' OFFSET 0) m)`;
}
