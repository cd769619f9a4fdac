import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { countOf } from '../../platform/resource/many-changes';
import type { Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { companyWithDomain } from './company-lookup';
import type { RemoveCompany } from './company.dto';
import { Company } from './company.entity';

@Injectable()
export class CompaniesService {
  constructor(
    @InjectStore(Company) private readonly companies: Store<Company>,
    private readonly database: Database,
  ) {}

  /** Contacts and tickets stay, without the company; open tickets only when `force` says so. */
  remove(id: number, expected: ExpectedVersions, { force = false }: RemoveCompany): Promise<SingleResult> {
    return this.companies.remove(id, expected, async () => {
      if (!force) await this.requireNoOpenTickets(id);
    });
  }

  /**
   * The company of that name, case aside, else the active one with the mail domain of that address; null when there is
   * neither. Inside the current unit of work. Through the search view, because `lower` and `@>` are not leakproof.
   */
  async find(name: string | null, email: string | null): Promise<number | null> {
    const [row] = await this.database.query<{ id: number | null }>(
      `SELECT coalesce(
         (SELECT n.id FROM companies_search n WHERE n.workspace_id = $1 AND lower(n.name) = lower($2)),
         ${companyWithDomain('$3')}) AS id`,
      [currentWorkspaceId(), name, email?.split('@')[1] ?? null],
    );
    return row?.id ?? null;
  }

  /** The company of that name, created with the further values when there is none; two at once make one. */
  async upsertByName(name: string, more: Values<Company>): Promise<number> {
    const id = (await this.companies.insertUnlessThere({ ...more, name })) ?? (await this.find(name, null));
    if (id === null) throw new Error('A company neither exists nor could be created.');
    return id;
  }

  /** The company as GET shows it, for answers of other areas that have it in them. */
  async jsonOf(id: number): Promise<string> {
    return (await this.companies.read(id)).json;
  }

  private async requireNoOpenTickets(id: number): Promise<void> {
    const unfinished = `m.status IN ('open', 'in_progress', 'on_hold')`;
    const open = await countOf(this.database, 'tickets', (bind) => `m.company_id = ${bind(id)} AND ${unfinished}`);
    if (open === 0) return;
    const message = `The company has ${open} open tickets; DELETE /companies/${id}?force=true keeps them without a company.`;
    invalid('id', 'in_use', message, { open_tickets: open });
  }
}
