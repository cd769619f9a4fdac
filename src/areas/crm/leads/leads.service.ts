import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import type { Change } from '../../../platform/resource/change';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ownerOf, requireActiveOwner } from '../owner';
import { type Link, unlink } from '../unlink';
import { workspaceCurrency } from '../../../platform/auth/workspace-settings';
import { CONTACT_DETAILS, lostReason, requireContactDetails, requireMoney } from './lead-rules';
import { requireLeadChange } from './lead-states';
import type { CreateLead, UpdateLead } from './lead.dto';
import { Lead } from './lead.entity';

const LINKS: readonly Link[] = [
  { resource: 'deals', singular: 'deal', column: 'lead_id' },
  { resource: 'meetings', singular: 'meeting', column: 'lead_id' },
];

@Injectable()
export class LeadsService {
  constructor(
    @InjectStore(Lead) private readonly leads: Store<Lead>,
    private readonly database: Database,
  ) {}

  create(body: CreateLead): Promise<SingleResult> {
    return this.leads.create(body, (values) => this.complete(values, body));
  }

  update(id: number, body: UpdateLead, expected: ExpectedVersions): Promise<SingleResult> {
    return this.leads.update(id, body, expected, (before, values) => this.follow(before, values));
  }

  /** The deal that the lead became stays, and so do its meetings. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.leads.remove(id, expected, () => unlink(this.database, id, LINKS));
  }

  private async complete(values: Values<Lead>, body: CreateLead): Promise<undefined> {
    requireContactDetails(values);
    const { status = 'new' } = values;
    if (status === 'converted') {
      invalid('status', 'invalid_transition', 'A lead is created first; POST /crm/leads/{id}/convert converts it.');
    }
    values.lost_reason = lostReason(status, null, body.lost_reason);
    values.currency ??= await workspaceCurrency(this.database);
    requireMoney(values.currency, values.estimated_value);
    values.owner_id = await ownerOf(this.database, body.owner_id);
  }

  private async follow(before: Row<Lead>, values: Values<Lead>): Promise<Change<Lead>> {
    const after = { ...before, ...values };
    if (CONTACT_DETAILS.some((name) => values[name] !== undefined)) requireContactDetails(after);
    if (values.currency !== undefined || values.estimated_value !== undefined) {
      requireMoney(after.currency, after.estimated_value);
    }
    if (values.owner_id && values.owner_id !== before.owner_id) {
      await requireActiveOwner(this.database, values.owner_id);
    }
    const [from, to] = [before.status, after.status];
    if (from !== to) requireLeadChange(from, to);
    values.lost_reason = lostReason(to, before.lost_reason, values.lost_reason);
    return from === to ? { values } : { values, events: ['lead.updated', 'lead.status_changed'] };
  }
}
