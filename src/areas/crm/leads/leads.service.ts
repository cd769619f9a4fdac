import { Injectable } from '@nestjs/common';
import { invalid } from '../../../platform/http/errors';
import { requireCurrency, requireWholeMinorUnits } from '../../../platform/money/currency';
import { changeMany } from '../../../platform/resource/many-changes';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { type Change, ResourceService, type Row } from '../../../platform/resource/resource.service';
import type { Values } from '../../../platform/resource/write-plan';
import { ownerOf, requireActiveOwner } from '../owner';
import { workspaceCurrency } from '../workspace-currency';
import { CONTACT_DETAILS, lostReason, requireContactDetails } from './lead-rules';
import { type LeadStatus, requireLeadChange } from './lead-states';
import { leadResource } from './lead.resource';

@Injectable()
export class LeadsService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(leadResource, kernel);
  }

  protected override async prepareCreate(values: Values, body: Values): Promise<undefined> {
    requireContactDetails(values);
    const status = values.status as LeadStatus;
    if (status === 'converted') {
      invalid('status', 'invalid_transition', 'A lead is created first; POST /crm/leads/{id}/convert converts it.');
    }
    values.lost_reason = lostReason(status, null, body.lost_reason as string | null | undefined);
    values.currency ??= await workspaceCurrency(this.database);
    requireMoney(values);
    values.owner_id = await ownerOf(this.database, body.owner_id as number | null | undefined);
  }

  protected override async prepareUpdate(before: Row, values: Values): Promise<Change> {
    const after = { ...before, ...values };
    if (CONTACT_DETAILS.some((name) => values[name] !== undefined)) requireContactDetails(after);
    if (values.currency !== undefined || values.estimated_value !== undefined) requireMoney(after);
    if (values.owner_id && values.owner_id !== before.owner_id) {
      await requireActiveOwner(this.database, values.owner_id as number);
    }
    const [from, to] = [before.status as LeadStatus, after.status as LeadStatus];
    if (from !== to) requireLeadChange(from, to);
    const asked = values.lost_reason as string | null | undefined;
    values.lost_reason = lostReason(to, before.lost_reason as string | null, asked);
    return { values, events: from === to ? [] : ['lead.status_changed'] };
  }

  /** The deal that the lead became stays. */
  protected override async prepareRemove(lead: Row): Promise<void> {
    await changeMany(this.database, {
      resource: 'deals',
      condition: (bind) => `m.lead_id = ${bind(lead.id)}`,
      values: { lead_id: null },
      events: ['deal.updated'],
      changes: { lead_id: { from: lead.id, to: null } },
    });
  }
}

function requireMoney(lead: Values): void {
  const currency = lead.currency as string;
  requireCurrency('currency', currency);
  requireWholeMinorUnits('estimated_value', lead.estimated_value as number | null | undefined, currency);
}
