import { Injectable } from '@nestjs/common';
import { workspaceSettings } from '../../platform/auth/workspace-settings';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import type { Change, Told, ToldWith } from '../../platform/resource/change';
import type { Row, Values } from '../../platform/resource/rows';
import type { Requester } from '../contacts/contact-lookup';
import { ContactsService } from '../contacts/contacts.service';
import { type SlaChange, SlaService } from '../sla/sla.service';
import type { Reason } from './assigning/assignment-reason';
import { type Assigned, TicketAssigning, toldOf } from './assigning/ticket-assigning';
import { StatusBook } from './statuses/status-book';
import { chosenStatus, type StatusPair } from './statuses/status-choice';
import { clockFacts, type Following } from './ticket-sla';
import { isDone, statusEffects } from './ticket-status';
import type { Ticket } from './ticket.entity';
import type { TicketStatus } from './ticket-values';
import type { TicketSettings } from './ticket-settings';

/** What comes with a change of a ticket. */
export interface Followed extends Pick<Change<Ticket>, 'rows' | 'meta'> {
  values: Values<Ticket>;
  /** Events besides `ticket.updated`, in order. */
  events: Told[];
  /** Events that name records of their own; they come after `events`. */
  more: ToldWith[];
  /** Why it comes to somebody else, where it does. */
  reason: Reason | null;
}

/** The rules that every change of a ticket goes through, whoever asks for it. */
@Injectable()
export class TicketChanges {
  constructor(
    private readonly database: Database,
    private readonly assigning: TicketAssigning,
    private readonly sla: SlaService,
    private readonly contacts: ContactsService,
    private readonly statuses: StatusBook,
  ) {}

  /** Completes what was asked for with everything that follows from it: timestamps, clocks, contact, events. */
  async follow(before: Row<Ticket>, asked: Values<Ticket>, following: Following = {}): Promise<Followed> {
    requireUnmerged(before);
    const now = await this.database.moment();
    const values: Values<Ticket> = { ...asked, ...(await this.chosen(before, asked)) };
    const events: Told[] = [];
    const settings = await workspaceSettings<TicketSettings>(this.database);
    await this.followRequester(before, values);
    const assigned = await this.followAssignment(before, values, following, settings.auto_start_on_assign === true);
    const isNew = values.assigned_to !== undefined && values.assigned_to !== before.assigned_to;
    if (isNew) events.push(assigned ? { type: 'ticket.assigned', related: toldOf(assigned) } : 'ticket.unassigned');
    const status = values.status ?? before.status;
    const { values: statusValues, events: statusEvents } = statusEffects(
      before,
      status,
      now,
      settings.reopen_window_days ?? null,
    );
    // Who takes it may have begun it.
    if (values.status !== asked.status) Object.assign(values, await this.chosen(before, { ...asked, ...values }));
    Object.assign(values, { ...statusValues, ...heldValues(asked, status, now, before) });
    events.push(...statusEvents);
    if (values.priority !== undefined && values.priority !== before.priority) events.push('ticket.priority_changed');
    const { values: slaValues, more, rows } = await this.followClocks(before, values, following, now);
    Object.assign(values, slaValues);
    if (becomesNobodys(before, values)) values.unassigned_since = now;
    const absent = assigned?.assignee.reassigned_from ?? null;
    return {
      values,
      events,
      more,
      reason: isNew ? (assigned?.reason ?? null) : null,
      ...(rows ? { rows } : {}),
      ...(absent === null ? {} : { meta: { reassigned_from: absent } }),
    };
  }

  /** The same as a change that has nothing to add. */
  async change(before: Row<Ticket>, asked: Values<Ticket>, following: Following = {}): Promise<Change<Ticket>> {
    const { events, more, reason: _told, ...rest } = await this.follow(before, asked, following);
    return { ...rest, events: ['ticket.updated', ...events, ...more] };
  }

  /** Both forms of the status, where one of them changes. */
  private async chosen(before: Row<Ticket>, asked: Values<Ticket>): Promise<Partial<StatusPair>> {
    const { status = before.status, custom_status_id: id = before.custom_status_id } = asked;
    if (status === before.status && id === before.custom_status_id) return {};
    const known = await this.statuses.all();
    return known.length === 0 && id === before.custom_status_id ? {} : chosenStatus(known, before, asked);
  }

  /** Puts who really gets the ticket in the place of who was asked for; null when nobody is asked for anew. */
  private async followAssignment(
    before: Row<Ticket>,
    values: Values<Ticket>,
    { given, field = 'assigned_to', way }: Following,
    starts: boolean,
  ): Promise<Assigned | null> {
    const assigned =
      given ??
      (await this.assigning.follow(before, values, { field, way })) ??
      (reopens(before, values) ? await this.assigning.reopened(before, values) : undefined);
    // Nobody would look at what is opened again in the hands of somebody who is gone.
    if (assigned === null) values.assigned_to = null;
    if (!assigned) return null;
    values.assigned_to = assigned.assignee.id;
    if (assigned.assignee.id === before.assigned_to) return assigned;
    if (starts && before.status === 'open' && values.status === undefined) values.status = 'in_progress';
    return assigned;
  }

  /** Somebody else who asks: contact, company and name follow as at creation, but for what the change names itself. */
  private async followRequester(before: Row<Ticket>, values: Values<Ticket>): Promise<void> {
    const { requester_email: email, requester_name = null, company_id } = values;
    if (email === undefined || email === before.requester_email) return;
    if (email === null) {
      Object.assign(values, { contact_id: null, requester_name });
      return;
    }
    const asks = await this.contacts.requesterOf(email, requester_name, company_id);
    Object.assign(values, { ...requesterValues(asks.requester, requester_name), company_id: asks.company_id });
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
    const rematch = Object.keys(values).some((name) => !TIMELY.test(name) && changed(name));
    if (facts.length === 0 && !rematch) return { values: {}, more: [] };
    return this.sla.follow(before, values, facts, now, rematch);
  }
}

/** Whether it is open again, with nobody named who is to have it. */
function reopens(before: Row<Ticket>, { status = before.status, assigned_to }: Values<Ticket>): boolean {
  return assigned_to === undefined && isDone(before.status) && !isDone(status);
}

/** Whether a team has it without an assignee from now on. */
function becomesNobodys(before: Row<Ticket>, values: Values<Ticket>): boolean {
  const { assigned_to = before.assigned_to, team_id = before.team_id } = values;
  return assigned_to === null && team_id !== null && (before.assigned_to !== null || team_id !== before.team_id);
}

/** Fields that follow from the status: they bring no other SLA policy. */
const TIMELY = /^(custom_)?status(_id)?$|_at$|^on_hold_|_count$/;

/** What a ticket on hold waits for. */
type Hold = Pick<Row<Ticket>, 'on_hold_reason' | 'on_hold_until'>;

/** 422 for a ticket that goes on in another, before anything else is said of it. */
export function requireUnmerged({ merged_into_id }: Pick<Ticket, 'merged_into_id'>): void {
  if (merged_into_id !== null)
    invalid('id', 'merged', `The ticket was merged into ticket ${merged_into_id}; change that one.`);
}

/**
 * Why and until when a ticket is on hold, as asked for; 422 unless it is, and for a moment that has passed. What is stored may be sent
 * back, whatever the time; with another status, too: it goes with the hold.
 *
 * @param now ISO 8601
 */
export function heldValues(
  asked: Values<Ticket>,
  status: TicketStatus,
  now: string,
  stored: Hold = { on_hold_reason: null, on_hold_until: null },
): Partial<Hold> {
  const isOnHold = status === 'on_hold';
  const isSameUntil = isSameMoment(asked.on_hold_until, stored.on_hold_until);
  const on_hold_reason = isOnHold || asked.on_hold_reason !== stored.on_hold_reason ? asked.on_hold_reason : undefined;
  const on_hold_until = isOnHold || !isSameUntil ? asked.on_hold_until : undefined;
  for (const [name, value] of Object.entries({ on_hold_reason, on_hold_until })) {
    if (value && !isOnHold) invalid(name, 'invalid', `"${name}" can only be set on a ticket that is on hold.`);
  }
  if (on_hold_until && !isSameUntil) requireAhead(on_hold_until, now);
  return {
    ...(on_hold_reason === undefined ? {} : { on_hold_reason }),
    ...(on_hold_until === undefined ? {} : { on_hold_until }),
  };
}

function isSameMoment(one: string | null | undefined, other: string | null): boolean {
  return one === other || (typeof one === 'string' && other !== null && Date.parse(one) === Date.parse(other));
}

function requireAhead(until: string, now: string): void {
  if (Date.parse(until) > Date.parse(now)) return;
  invalid('on_hold_until', 'min', '"on_hold_until" must be in the future.', { min: now });
}

/**
 * Who asks, as a ticket has them: by the name given, else by the contact's own; 422 when they are blocked: nothing is done for them
 * any more.
 */
export function requesterValues(
  { id, name, is_blocked }: Requester,
  given: string | null,
): Pick<Values<Ticket>, 'contact_id' | 'requester_name'> {
  if (is_blocked) invalid('requester_email', 'blocked', '"requester_email" names a contact who is blocked.');
  return { contact_id: id, requester_name: given ?? name };
}
