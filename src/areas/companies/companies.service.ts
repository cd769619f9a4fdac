import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { invalid } from '../../platform/http/errors';
import type { RawQuery } from '../../platform/resource/list-query';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { ResourceService, type Row, type Values } from '../../platform/resource/resource.service';
import { insertStatement } from '../../platform/resource/write-plan';
import { companyResource } from './company.resource';

@Injectable()
export class CompaniesService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(companyResource, kernel);
  }

  /**
   * The company of that name, case aside, else the active one with the mail domain of that address; null when there is
   * neither. Inside the current unit of work. Through the search view, because `lower` and `@>` are not leakproof.
   */
  async find(name: string | null, email: string | null): Promise<number | null> {
    const [row] = await this.database.query<{ id: number | null }>(
      `SELECT coalesce(
         (SELECT n.id FROM companies_search n WHERE n.workspace_id = $1 AND lower(n.name) = lower($2)),
         (SELECT min(m.id) FROM (SELECT s.id FROM companies_search s WHERE s.domains @> ARRAY[$3::text] AND s.status = 'active' OFFSET 0) m)) AS id`,
      [currentWorkspaceId(), name, email?.split('@')[1] ?? null],
    );
    return row?.id ?? null;
  }

  /** The company of that name, created with the further values when there is none; two at once make one. */
  async upsertByName(name: string, more: Values): Promise<number> {
    const events = [{ type: 'company.created', changes: null }];
    const [rows] = await this.database.batch([
      insertStatement(this.resource, currentWorkspaceId(), { ...more, name }, events, { onConflict: 'ON CONFLICT DO NOTHING' }),
    ]);
    const id = rows?.[0]?.[1] ?? (await this.find(name, null));
    if (!id) throw new Error('A company neither exists nor could be created.');
    return Number(id);
  }

  /** Contacts and tickets stay, without the company; open tickets only when `force` says so. */
  protected override async prepareRemove(company: Row, { force = 'false' }: RawQuery): Promise<void> {
    if (force !== 'true' && force !== 'false')
      invalid('force', 'enum', '"force" must be true or false.', { allowed: ['true', 'false'] });
    if (force === 'false') await this.requireNoOpenTickets(company.id);
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
