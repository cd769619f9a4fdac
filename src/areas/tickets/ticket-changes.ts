import { Injectable } from '@nestjs/common';
import { workspaceSettings } from '../../platform/auth/workspace-settings';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/http/errors';
import type { Change, Row } from '../../platform/resource/resource.service';
import type { Values } from '../../platform/resource/write-plan';
import { ContactsService } from '../contacts/contacts.service';
import { type SlaChange, SlaService } from '../sla/sla.service';
import { TicketIntake } from './ticket-intake';
import { clockFacts, type Following } from './ticket-sla';
import { type StatusFacts, statusEffects } from './ticket-status';
import type { TicketStatus } from './ticket-values';

/** The rules that every change of a ticket goes through, whoever asks for it. */
@Injectable()
export class TicketChanges {
  constructor(
    private readonly database: Database,
    private readonly intake: TicketIntake,
    private readonly sla: SlaService,
    private readonly contacts: ContactsService,
  ) {}

  /** Completes what was asked for with everything that follows from it: timestamps, clocks, contact, events. */
  async follow(before: Row, asked: Values, following: Following = {}): Promise<Change> {
    if (before.merged_into_id !== null) {
      invalid('id', 'merged', `The ticket was merged into ticket ${before.merged_into_id as number}; change that one.`);
    }
    const now = following.now ?? new Date().toISOString();
    const values: Values = { ...asked };
    const events: string[] = [];
    const settings = await workspaceSettings(this.database);
    await this.followAssignment(before, values, events, settings.auto_start_on_assign === true);
    const status = (values.status ?? before.status) as TicketStatus;
    const { values: statusValues, events: statusEvents } = statusEffects(
      before as unknown as StatusFacts,
      status,
      now,
      settings.reopen_window_days ?? null,
    );
    Object.assign(values, { ...statusValues, ...heldValues(asked, status) });
    events.push(...statusEvents);
    if (values.priority !== undefined && values.priority !== before.priority) events.push('ticket.priority_changed');
    await this.followRequester(before, values);
    const { values: slaValues, ...rest } = await this.followClocks(before, values, following, now);
    Object.assign(values, slaValues);
    return { values, events, ...rest };
  }

  private async followAssignment(before: Row, values: Values, events: string[], starts: boolean): Promise<void> {
    if (values.assigned_to === undefined || values.assigned_to === before.assigned_to) return;
    if (values.assigned_to === null) {
      events.push('ticket.unassigned');
      return;
    }
    const assignee = await this.intake.assignee('assigned_to', values.assigned_to as number);
    values.assigned_to = assignee.id;
    if (assignee.id === before.assigned_to) return;
    events.push('ticket.assigned');
    if (starts && before.status === 'open' && values.status === undefined) values.status = 'in_progress';
  }

  private async followRequester(before: Row, values: Values): Promise<void> {
    const email = values.requester_email as string | null | undefined;
    if (email === undefined || email === before.requester_email) return;
    if (email === null) {
      values.contact_id = null;
      return;
    }
    const name = (values.requester_name ?? null) as string | null;
    const contact = await this.contacts.upsertByEmail(
      email,
      name,
      (values.company_id ?? before.company_id) as number | null,
    );
    values.contact_id = contact.id;
  }

  private async followClocks(before: Row, values: Values, following: Following, now: string): Promise<SlaChange> {
    const changed = (name: string): boolean => values[name] !== undefined && values[name] !== before[name];
    const facts = clockFacts(values, changed, following, now);
    const links = changed('company_id') || changed('category_id');
    const fields = Object.keys(values).some((name) => !TIMELY.test(name) && changed(name));
    if (facts.length === 0 && !links && !fields) return { values: {}, more: [] };
    return this.sla.follow(before, values, facts, now, { links, fields });
  }
}

/** Fields that follow from the status: they bring no other SLA policy. */
const TIMELY = /^status$|_at$|^on_hold_|_count$/;

/** Why and until when a ticket is on hold, as asked for; 422 unless it is. */
export function heldValues(asked: Values, status: TicketStatus): Values {
  const held: Values = {};
  for (const name of ['on_hold_reason', 'on_hold_until']) {
    const value = asked[name];
    if (value === undefined) continue;
    if (value !== null && status !== 'on_hold') {
      invalid(name, 'invalid', `"${name}" can only be set on a ticket that is on hold.`);
    }
    held[name] = value;
  }
  return held;
}
