import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { invalid } from '../../platform/http/errors';
import type { RawQuery } from '../../platform/resource/list-query';
import { changeMany } from '../../platform/resource/many-changes';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { ResourceService, type Row } from '../../platform/resource/resource.service';
import { companyResource } from './company.resource';

@Injectable()
export class CompaniesService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(companyResource, kernel);
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
