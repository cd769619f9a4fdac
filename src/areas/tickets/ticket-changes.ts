import { Injectable } from '@nestjs/common';
import { current } from '../../platform/context/current';
import { invalid } from '../../platform/http/errors';
import type { Change, Row } from '../../platform/resource/resource.service';
import type { Values } from '../../platform/resource/write-plan';
import { ContactsService } from '../contacts/contacts.service';
import { SlaService } from '../sla/sla.service';
import { TicketIntake } from './ticket-intake';
import { type ClockFacts, clockValues } from './ticket-sla';
import { type StatusFacts, statusEffects } from './ticket-status';
import type { TicketStatus } from './ticket-values';

/** The rules that every change of a ticket goes through, whoever asks for it. */
@Injectable()
export class TicketChanges {
  constructor(
    private readonly intake: TicketIntake,
    private readonly sla: SlaService,
    private readonly contacts: ContactsService,
  ) {}

  /** Completes what was asked for with everything that follows from it: timestamps, clocks, contact, events. */
  async follow(before: Row, asked: Values): Promise<Change> {
    if (before.merged_into_id !== null) {
      invalid('id', 'merged', `The ticket was merged into ticket ${before.merged_into_id as number}; change that one.`);
    }
    const now = new Date().toISOString();
    const values: Values = { ...asked };
    const events: string[] = [];
    await this.followAssignment(before, values, events);
    const status = (values.status ?? before.status) as TicketStatus;
    const { values: statusValues, events: statusEvents } = statusEffects(
      before as unknown as StatusFacts,
      status,
      now,
      reopenWindow(),
    );
    Object.assign(values, { ...statusValues, ...heldValues(asked, status) });
    events.push(...statusEvents);
    if (values.priority !== undefined && values.priority !== before.priority) events.push('ticket.priority_changed');
    await this.followRequester(before, values);
    await this.followClocks(before, values, now);
    return { values, events };
  }

  private async followAssignment(before: Row, values: Values, events: string[]): Promise<void> {
    if (values.assigned_to === undefined || values.assigned_to === before.assigned_to) return;
    if (values.assigned_to === null) {
      events.push('ticket.unassigned');
      return;
    }
    const assignee = await this.intake.assignee('assigned_to', values.assigned_to as number);
    values.assigned_to = assignee.id;
    if (assignee.id === before.assigned_to) return;
    events.push('ticket.assigned');
    const starts = current().access?.workspace.settings.auto_start_on_assign === true;
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

  private async followClocks(before: Row, values: Values, now: string): Promise<void> {
    const changed = (name: string): boolean => values[name] !== undefined && values[name] !== before[name];
    const rematch = changed('company_id') || changed('category_id');
    if (!rematch && !changed('status') && !changed('priority')) return;
    const after = { ...before, ...values } as Row & { company_id: number | null; category_id: number | null };
    const policy =
      rematch || before.sla_policy_id === null
        ? await this.sla.match(after.company_id, after.category_id)
        : await this.sla.policy(before.sla_policy_id as number);
    Object.assign(values, clockValues(before as unknown as ClockFacts, after as unknown as ClockFacts, policy, now));
  }
}

function reopenWindow(): number | null {
  return current().access?.workspace.settings.reopen_window_days ?? null;
}

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
