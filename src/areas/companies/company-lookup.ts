import type { Database } from '../../platform/database/database';
import { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { Company } from './company.entity';

/** What stands on a document for a company; null when there is none. Inside a unit of work. */
export function companyLetterhead(
  database: Database,
  id: number,
): Promise<Pick<Company, 'name' | 'tax_id' | 'address'> | null> {
  const select = { name: true, tax_id: true, address: true } as const;
  return new WorkspaceRepository(database, Company).findOne({ select, where: { id } });
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
