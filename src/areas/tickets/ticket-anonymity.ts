import { ERASED } from '../../platform/area/personal';
import { asTheyAre } from '../../platform/fields/settle-fields';
import type { Row, Values } from '../../platform/resource/rows';
import type { Ticket } from './ticket.entity';

/** A ticket without who asked and what was said. Numbers and flags of custom fields stay, texts go; so does what leads to a person. Pure. */
export function anonymous({ custom_fields, escalations }: Row<Ticket>): Values<Ticket> {
  const counted = Object.entries(custom_fields).filter(([, value]) => ['number', 'boolean'].includes(typeof value));
  return {
    subject: ERASED,
    description: ERASED,
    requester_email: null,
    requester_name: null,
    contact_id: null,
    cc_emails: [],
    csat_comment: null,
    external_id: null,
    custom_fields: asTheyAre(Object.fromEntries(counted)),
    last_escalation_reason: null,
    escalations: escalations.map((each) => ({ ...each, reason: null })),
  };
}
