import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { invalid } from '../../platform/http/errors';
import type { RawQuery } from '../../platform/resource/list-query';
import { changeMany } from '../../platform/resource/many-changes';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { ResourceService, type Row } from '../../platform/resource/resource.service';
import { companyResource } from './company.resource';
import { freeMailDomains } from './free-mail-domains';

@Injectable()
export class CompaniesService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(companyResource, kernel);
  }

  /** Id of the active company with that mail domain, the oldest if several; null when there is none. One round trip. */
  async findByDomain(domain: string): Promise<number | null> {
    const name = domain.trim().toLowerCase();
    if (name === '' || freeMailDomains.has(name)) return null;
    // No ORDER BY … LIMIT 1: it would tempt the planner away from the index on domains.
    const rows = await this.database.query<{ id: number }>(
      `SELECT id FROM companies_search WHERE domains @> ARRAY[$1::text] AND status = 'active'`,
      [name],
    );
    return rows.length ? Math.min(...rows.map((row) => row.id)) : null;
  }

  /** Contacts and tickets stay, without the company; open tickets only when `force` says so. */
  protected override async prepareRemove(company: Row, { force = 'false' }: RawQuery): Promise<void> {
    if (force !== 'true' && force !== 'false')
      invalid('force', 'enum', '"force" must be true or false.', { allowed: ['true', 'false'] });
    if (force === 'false') await this.requireNoOpenTickets(company.id);
    for (const [resource, singular] of Object.entries({ tickets: 'ticket', contacts: 'contact' })) {
      await changeMany(this.database, {
        resource,
        condition: (bind) => `m.company_id = ${bind(company.id)}`,
        values: { company_id: null },
        events: [`${singular}.updated`],
        changes: { company_id: { from: company.id, to: null } },
      });
    }
  }

  private async requireNoOpenTickets(id: number): Promise<void> {
    const [row] = await this.database.query<{ n: number }>(
      `SELECT count(*) AS n FROM tickets
       WHERE workspace_id = $1 AND company_id = $2 AND status IN ('open', 'in_progress', 'on_hold')`,
      [currentWorkspaceId(), id],
    );
    const open = row?.n ?? 0;
    if (open === 0) return;
    const message = `The company has ${open} open tickets; DELETE /companies/${id}?force=true keeps them without a company.`;
    invalid('id', 'in_use', message, { open_tickets: open });
  }
}
