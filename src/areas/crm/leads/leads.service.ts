import { Injectable } from '@nestjs/common';
import { invalid } from '../../../platform/http/errors';
import { requireCurrency, requireWholeMinorUnits } from '../../../platform/money/currency';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { type Change, ResourceService, type Row } from '../../../platform/resource/resource.service';
import type { Values } from '../../../platform/resource/resource.service';
import { ownerOf, requireActiveOwner } from '../owner';
import { type Link, unlink } from '../unlink';
import { workspaceCurrency } from '../workspace-currency';
import { CONTACT_DETAILS, lostReason, requireContactDetails } from './lead-rules';
import { type LeadStatus, requireLeadChange } from './lead-states';
import { leadResource } from './lead.resource';

const LINKS: readonly Link[] = [
  { resource: 'deals', singular: 'deal', column: 'lead_id' },
  { resource: 'meetings', singular: 'meeting', column: 'lead_id' },
];

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

  /** The deal that the lead became stays, and so do its meetings. */
  protected override prepareRemove(lead: Row): Promise<void> {
    return unlink(this.database, lead.id, LINKS);
  }
}

function requireMoney(lead: Values): void {
  const currency = lead.currency as string;
  requireCurrency('currency', currency);
  requireWholeMinorUnits('estimated_value', lead.estimated_value as number | null | undefined, currency);
}
