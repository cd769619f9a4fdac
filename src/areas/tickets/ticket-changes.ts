import { Injectable } from '@nestjs/common';
import { workspaceSettings } from '../../platform/auth/workspace-settings';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import type { Change, ToldWith } from '../../platform/resource/change';
import type { Row, Values } from '../../platform/resource/rows';
import type { Requester } from '../contacts/contact-lookup';
import { ContactsService } from '../contacts/contacts.service';
import { type Assignee, Assignment } from '../users/assignment.service';
import { type SlaChange, SlaService } from '../sla/sla.service';
import { clockFacts, type Following } from './ticket-sla';
import { isDone, statusEffects } from './ticket-status';
import type { Ticket } from './ticket.entity';
import type { TicketStatus } from './ticket-values';
import type { TicketSettings } from './ticket-settings';

/** What comes with a change of a ticket. */
export interface Followed extends Pick<Change<Ticket>, 'rows' | 'meta'> {
  values: Values<Ticket>;
  /** Events besides `ticket.updated`, in order. */
  events: string[];
  /** Events that name records of their own; they come after `events`. */
  more: ToldWith[];
}

/** The rules that every change of a ticket goes through, whoever asks for it. */
@Injectable()
export class TicketChanges {
  constructor(
    private readonly database: Database,
    private readonly assignment: Assignment,
    private readonly sla: SlaService,
    private readonly contacts: ContactsService,
  ) {}

  /** Completes what was asked for with everything that follows from it: timestamps, clocks, contact, events. */
  async follow(before: Row<Ticket>, asked: Values<Ticket>, following: Following = {}): Promise<Followed> {
    if (before.merged_into_id !== null) {
      invalid('id', 'merged', `The ticket was merged into ticket ${before.merged_into_id}; change that one.`);
    }
    const now = await this.database.moment();
    const values: Values<Ticket> = { ...asked };
    const events: string[] = [];
    const settings = await workspaceSettings<TicketSettings>(this.database);
    const starts = settings.auto_start_on_assign === true;
    const assigned = await this.followAssignment(before, values, following.field ?? 'assigned_to', starts);
    const status = values.status ?? before.status;
    const { values: statusValues, events: statusEvents } = statusEffects(
      before,
      status,
      now,
      settings.reopen_window_days ?? null,
    );
    Object.assign(values, { ...statusValues, ...heldValues(asked, status, now, before.on_hold_until) });
    events.push(...statusEvents);
    if (values.priority !== undefined && values.priority !== before.priority) events.push('ticket.priority_changed');
    await this.followRequester(before, values);
    const { values: slaValues, more, rows } = await this.followClocks(before, values, following, now);
    Object.assign(values, slaValues);
    const followed = { values, events, more, ...(rows ? { rows } : {}) };
    return { ...followed, ...toldOf(assigned, before, followed) };
  }

  /** The same as a change that has nothing to add. */
  async change(before: Row<Ticket>, asked: Values<Ticket>, following: Following = {}): Promise<Change<Ticket>> {
    const { events, more, ...rest } = await this.follow(before, asked, following);
    return { ...rest, events: ['ticket.updated', ...events, ...more] };
  }

  /** Puts who really gets the ticket in the place of who was asked for; null when nobody is asked for anew. */
  private async followAssignment(
    before: Row<Ticket>,
    values: Values<Ticket>,
    field: string,
    starts: boolean,
  ): Promise<Assignee | null> {
    const asked = values.assigned_to;
    if (asked === undefined || asked === null || asked === before.assigned_to) return null;
    const tickets = isDone(values.status ?? before.status) ? 0 : 1;
    const assignee = await this.assignment.to(asked, { field, tickets });
    values.assigned_to = assignee.id;
    if (assignee.id === before.assigned_to) return assignee;
    if (starts && before.status === 'open' && values.status === undefined) values.status = 'in_progress';
    return assignee;
  }

  private async followRequester(before: Row<Ticket>, values: Values<Ticket>): Promise<void> {
    const email = values.requester_email;
    if (email === undefined || email === before.requester_email) return;
    if (email === null) {
      values.contact_id = null;
      return;
    }
    const company = values.company_id ?? before.company_id;
    const contact = await this.contacts.upsertByEmail(email, values.requester_name ?? null, company);
    values.contact_id = admitted(contact).id;
  }

  private async followClocks(
    before: Row<Ticket>,
    values: Values<Ticket>,
    following: Following,
    now: string,
  ): Promise<SlaChange> {
    const was: Readonly<Record<string, unknown>> = before;
    const will: Readonly<Record<string, unknown>> = values;
    const changed = (name: string): boolean => will[name] !== undefined && will[name] !== was[name];
    const facts = clockFacts(values, changed, following, now);
    const links = changed('company_id') || changed('category_id');
    const fields = Object.keys(values).some((name) => !TIMELY.test(name) && changed(name));
    if (facts.length === 0 && !links && !fields) return { values: {}, more: [] };
    return this.sla.follow(before, values, facts, now, { links, fields });
  }
}

/** What is told of a new assignee: the event, with whom the ticket was meant for, and the same in the answer's `meta`. */
function toldOf(
  assigned: Assignee | null,
  before: Row<Ticket>,
  { values, events, more }: Followed,
): Pick<Followed, 'meta'> & Partial<Followed> {
  const from = assigned?.reassigned_from ?? null;
  const meta = from === null ? {} : { meta: { reassigned_from: from } };
  if (values.assigned_to === undefined || values.assigned_to === before.assigned_to) return meta;
  const type = values.assigned_to === null ? 'ticket.unassigned' : 'ticket.assigned';
  if (from === null) {
    events.unshift(type);
    return {};
  }
  return { ...meta, more: [{ type, related: { reassigned_from: from } }, ...more] };
}

/** Fields that follow from the status: they bring no other SLA policy. */
const TIMELY = /^status$|_at$|^on_hold_|_count$/;

/**
 * Why and until when a ticket is on hold, as asked for; 422 unless it is, and for a moment that has passed.
 *
 * @param now ISO 8601
 * @param until what is stored: it may be sent back, whatever the time
 */
export function heldValues(
  asked: Values<Ticket>,
  status: TicketStatus,
  now: string,
  until: string | null = null,
): Pick<Values<Ticket>, 'on_hold_reason' | 'on_hold_until'> {
  const { on_hold_reason, on_hold_until } = asked;
  for (const [name, value] of Object.entries({ on_hold_reason, on_hold_until })) {
    if (value && status !== 'on_hold') {
      invalid(name, 'invalid', `"${name}" can only be set on a ticket that is on hold.`);
    }
  }
  if (on_hold_until) requireAhead(on_hold_until, now, until);
  return {
    ...(on_hold_reason === undefined ? {} : { on_hold_reason }),
    ...(on_hold_until === undefined ? {} : { on_hold_until }),
  };
}

function requireAhead(until: string, now: string, stored: string | null): void {
  const at = Date.parse(until);
  if (at > Date.parse(now) || (stored !== null && Date.parse(stored) === at)) return;
  invalid('on_hold_until', 'min', '"on_hold_until" must be in the future.', { min: now });
}

/** The requester; 422 when they are blocked: nothing is done for them any more. */
export function admitted(requester: Requester): Requester {
  if (requester.is_blocked) invalid('requester_email', 'blocked', '"requester_email" names a contact who is blocked.');
  return requester;
}
