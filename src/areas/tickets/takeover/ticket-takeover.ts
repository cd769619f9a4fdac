// Own reads: the ids of a page of codes at once, by their numbers.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { workspaceSettings } from '../../../platform/auth/workspace-settings';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { type Followed, PlainTakeover } from '../../../platform/resource/plain-takeover';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import type { Row, Values } from '../../../platform/resource/rows';
import {
  type Revised,
  type Revision,
  type TakenOver,
  type TakenValues,
  Takeovers,
  type Told,
} from '../../../platform/resource/takeover';
import { ContactTakeover } from '../../contacts/contact-takeover';
import { SlaService } from '../../sla/sla.service';
import { requireParent, TICKET_TREE } from '../relations/ticket-tree';
import { StatusBook } from '../statuses/status-book';
import { chosenStatus, type KnownStatus, type StatusPair } from '../statuses/status-choice';
import { numberOfCode, ticketCode } from '../ticket-code';
import type { TicketSettings } from '../ticket-settings';
import { clockFacts } from '../ticket-sla';
import { Ticket } from '../ticket.entity';
import { isDone } from '../ticket-status';
import { TICKET_STATUSES } from '../ticket-values';
import { isOneOf } from '../../../platform/text/json';
import { shortened } from '../../../platform/text/normalise';

const DAY_MS = 86_400_000;
/** Where a workspace says nothing of it. */
const USUAL_CLOSE_DAYS = 7;

/** What decides how a ticket ended. */
interface Ending {
  /** ISO 8601 */
  moment: string;
  statuses: readonly KnownStatus[];
  /** 0 = never */
  closesAfterDays: number;
}

/** Characters of a subject that a description makes. */
const HEADLINE = 120;

/** What other systems knew of a ticket that bodies here may not say. */
const MORE = ['resolved_at', 'closed_at', 'first_response_at', 'csat_score', 'csat_comment', 'language'] as const;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Tickets come with a number of this desk, a contact for their requester, and no SLA: their time has passed elsewhere. */
class WithHistory extends PlainTakeover<Ticket> {
  constructor(
    records: Store<Ticket>,
    database: Database,
    private readonly contacts: ContactTakeover,
    private readonly statuses: StatusBook,
    private readonly sla: SlaService,
  ) {
    super(records, database, { place: 60, more: MORE, fixed: ['channel'] });
  }

  /** Sources without subjects have texts. */
  prepare(values: TakenValues): void {
    if (values.subject !== undefined || typeof values.description !== 'string') return;
    const [line = ''] = values.description.trim().split(/[\r\n]/, 1);
    if (line.trim() !== '') values.subject = shortened(line, HEADLINE);
  }

  async idsOfCodes(codes: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const numbers = new Map(codes.map((code) => [code, numberOfCode(code)]));
    const rows = await this.database.query<{ id: number; number: number }>(
      'SELECT id, number FROM tickets WHERE workspace_id = $1 AND number = ANY($2::bigint[])',
      [currentWorkspaceId(), [...numbers.values()].filter((number) => number !== null)],
    );
    const ids = new Map(rows.map(({ id, number }) => [number, id]));
    return new Map(
      [...numbers].flatMap(([code, number]): [string, number][] => {
        const id = ids.get(number ?? 0);
        return id === undefined ? [] : [[code, id]];
      }),
    );
  }

  override store(records: readonly TakenValues[], told: Told): Promise<TakenOver> {
    const hasParents = records.some(({ parent_id }) => typeof parent_id === 'number');
    return hasParents ? this.records.keeping(() => this.take(records, told), TICKET_TREE) : this.take(records, told);
  }

  override revise(revisions: readonly Revision[], told: Told): Promise<Revised[]> {
    const revise = async (): Promise<Revised[]> => {
      for (const { id, values } of revisions)
        if (typeof values.parent_id === 'number') await requireParent(this.database, id, values.parent_id);
      return super.revise(revisions, told);
    };
    const hasParents = revisions.some(({ values }) => typeof values.parent_id === 'number');
    return hasParents ? this.records.holding(revise, TICKET_TREE) : revise();
  }

  protected override stays({ merged_into_id, anonymised_at }: Row<Ticket>): string | null {
    if (merged_into_id !== null) return `it was merged into ticket ${merged_into_id}`;
    return anonymised_at === null ? null : 'it was made anonymous';
  }

  /** What a change in another system is here besides: both forms of the status, when it was over, who asks. */
  protected override async revision(before: Row<Ticket>, values: Values<Ticket>): Promise<Values<Ticket>> {
    const revised: Values<Ticket> = { ...values };
    const moment = await this.database.moment();
    const ending = await this.ending(moment);
    if (values.status !== undefined || values.custom_status_id !== undefined)
      Object.assign(revised, chosenStatus(ending.statuses, before, values));
    const { status = before.status } = revised;
    if (status !== before.status) {
      const { custom_status_id } = revised;
      const { first_resolved_at, ...end } = endOf({ ...values, status }, ending);
      Object.assign(revised, end, { first_resolved_at: before.first_resolved_at ?? first_resolved_at ?? null });
      if (revised.status === status) Object.assign(revised, { custom_status_id });
    } else {
      // Whoever says when it was over says it of one that is.
      if (!isDone(status)) delete revised.resolved_at;
      if (status !== 'closed') delete revised.closed_at;
    }
    const email = textOf(values.requester_email)?.toLowerCase();
    if (values.requester_email === null) revised.contact_id = null;
    else if (email !== undefined && email !== before.requester_email) {
      const person = { name: textOf(values.requester_name), created_at: moment };
      const { known } = await this.contacts.ofAddresses(new Map([[email, person]]), 'none');
      revised.contact_id = known.get(email)?.id ?? null;
    }
    return revised;
  }

  /** Tickets of this desk have clocks, which follow; those that came in have none, and get none. */
  protected override async followed(before: Row<Ticket>, values: Values<Ticket>): Promise<Followed<Ticket>> {
    if (before.sla_policy_id === null) return { values };
    const changed = (name: 'status' | 'priority'): boolean =>
      values[name] !== undefined && values[name] !== before[name];
    const now = await this.database.moment();
    const facts = clockFacts(values, (name) => (name === 'status' || name === 'priority') && changed(name), {}, now);
    if (facts.length === 0) return { values };
    const { values: clocks, rows } = await this.sla.follow(before, values, facts, now, false);
    return { values: { ...values, ...clocks }, ...(rows ? { rows } : {}) };
  }

  private async ending(moment: string): Promise<Ending> {
    const { auto_close_days } = await workspaceSettings<TicketSettings>(this.database);
    return { moment, statuses: await this.statuses.all(), closesAfterDays: auto_close_days ?? USUAL_CLOSE_DAYS };
  }

  private async take(records: readonly TakenValues[], told: Told): Promise<TakenOver> {
    const moment = await this.database.moment();
    for (const { parent_id } of records)
      if (typeof parent_id === 'number') await requireParent(this.database, null, parent_id);
    const people = new Map<string, { name: string | null; created_at: string }>();
    for (const { requester_email, requester_name, created_at } of records) {
      const email = textOf(requester_email)?.toLowerCase();
      if (email !== undefined && !people.has(email))
        people.set(email, { name: textOf(requester_name), created_at: textOf(created_at) ?? moment });
    }
    const { known, made } = await this.contacts.ofAddresses(people, told);
    const numbers = await this.database.query<{ number: number }>(
      `SELECT next_number('ticket') AS number FROM generate_series(1, $1::integer)`,
      [records.length],
    );
    const ending = await this.ending(moment);
    const complete = records.map((record, index) => {
      const number = numbers[index]?.number ?? 0;
      const email = textOf(record.requester_email)?.toLowerCase();
      const contact = email === undefined ? undefined : known.get(email);
      return {
        priority: 'medium',
        ...record,
        number,
        code: ticketCode(number),
        contact_id: contact?.id ?? null,
        company_id: record.company_id ?? contact?.company_id ?? null,
        ...endOf(record, ending),
      };
    });
    return { ids: await this.insert(complete, told), beside: made };
  }
}

/** The status that values name, in the forms that they name. */
function pairOf({ status, custom_status_id: id }: TakenValues): Partial<StatusPair> {
  const asked = isOneOf(TICKET_STATUSES, status) ? { status } : {};
  return { ...asked, ...(typeof id === 'number' ? { custom_status_id: id } : {}) };
}

/**
 * Both forms of its status, when it was over, as far as its source does not say so, and why it waits, where it does. What the clock of the
 * workspace would change at once comes in as that leaves it: nobody is to be told of it, and it is no change of anybody's here.
 */
function endOf(record: TakenValues, { moment, statuses, closesAfterDays }: Ending): TakenValues {
  const pair = chosenStatus(statuses, null, pairOf(record));
  const { status } = pair;
  const { on_hold_reason, on_hold_until } = record;
  const isOver = (at: string | null): boolean => at !== null && Date.parse(at) <= Date.parse(moment);
  const until = isOver(textOf(on_hold_until)) ? null : on_hold_until;
  const held =
    status === 'on_hold' ? { on_hold_reason, on_hold_until: until } : { on_hold_reason: null, on_hold_until: null };
  if (!isDone(status)) return { ...held, ...pair, resolved_at: null, closed_at: null };
  const last = textOf(record.updated_at) ?? textOf(record.created_at) ?? moment;
  const resolved_at = textOf(record.resolved_at) ?? textOf(record.closed_at) ?? last;
  const end = { ...held, resolved_at, first_resolved_at: resolved_at };
  const closes = closesAfterDays > 0 ? later(resolved_at, closesAfterDays) : null;
  if (status === 'resolved' && isOver(closes))
    return { ...end, ...chosenStatus(statuses, null, { status: 'closed' }), closed_at: closes };
  return { ...end, ...pair, closed_at: status === 'closed' ? (textOf(record.closed_at) ?? last) : null };
}

const later = (at: string, days: number): string => new Date(Date.parse(at) + days * DAY_MS).toISOString();

/** How tickets come in from another system. */
@Injectable()
export class TicketTakeover implements OnModuleInit {
  constructor(
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
    private readonly contacts: ContactTakeover,
    private readonly statuses: StatusBook,
    private readonly sla: SlaService,
    private readonly takeovers: Takeovers,
  ) {}

  onModuleInit(): void {
    this.takeovers.register(new WithHistory(this.tickets, this.database, this.contacts, this.statuses, this.sla));
  }
}
