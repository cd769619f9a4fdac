import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { PlainTakeover } from '../../../platform/resource/plain-takeover';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { type TakenOver, type TakenValues, Takeovers, type Told } from '../../../platform/resource/takeover';
import { ContactTakeover } from '../../contacts/contact-takeover';
import { requireParent, TICKET_TREE } from '../relations/ticket-tree';
import { StatusBook } from '../statuses/status-book';
import { chosenStatus, type KnownStatus, type StatusPair } from '../statuses/status-choice';
import { ticketCode } from '../ticket-code';
import { Ticket } from '../ticket.entity';
import { isDone } from '../ticket-status';
import { TICKET_STATUSES } from '../ticket-values';
import { isOneOf } from '../../../platform/text/json';

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
  ) {
    super(records, database, { place: 60, more: MORE });
  }

  /** Sources without subjects have texts. */
  prepare(values: TakenValues): void {
    if (values.subject !== undefined || typeof values.description !== 'string') return;
    const [line = ''] = values.description.trim().split(/[\r\n]/, 1);
    if (line.trim() !== '')
      values.subject = line.length <= HEADLINE ? line : `${line.slice(0, HEADLINE - 1).toWellFormed()}…`;
  }

  override store(records: readonly TakenValues[], told: Told): Promise<TakenOver> {
    const hasParents = records.some(({ parent_id }) => typeof parent_id === 'number');
    return hasParents ? this.records.keeping(() => this.take(records, told), TICKET_TREE) : this.take(records, told);
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
    const statuses = await this.statuses.all();
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
        ...endOf({ ...record, ...statusOf(record, statuses) }, moment),
        ...statusOf(record, statuses),
      };
    });
    return { ids: await this.insert(complete, told), beside: made };
  }
}

/** Both forms of its status. */
function statusOf({ status, custom_status_id: id }: TakenValues, known: readonly KnownStatus[]): StatusPair {
  const asked = isOneOf(TICKET_STATUSES, status) ? { status } : {};
  return chosenStatus(known, null, { ...asked, ...(typeof id === 'number' ? { custom_status_id: id } : {}) });
}

/** When it was over, as far as its source does not say so; and why it waits, where it does. */
function endOf(record: TakenValues, moment: string): TakenValues {
  const { status = 'open', on_hold_reason, on_hold_until } = record;
  const held = status === 'on_hold' ? { on_hold_reason, on_hold_until } : { on_hold_reason: null, on_hold_until: null };
  if (!isOneOf(TICKET_STATUSES, status) || !isDone(status)) return { ...held, resolved_at: null, closed_at: null };
  const last = textOf(record.updated_at) ?? textOf(record.created_at) ?? moment;
  const resolved_at = textOf(record.resolved_at) ?? textOf(record.closed_at) ?? last;
  const closed_at = status === 'closed' ? (textOf(record.closed_at) ?? last) : null;
  return { ...held, resolved_at, first_resolved_at: resolved_at, closed_at };
}

/** How tickets come in from another system. */
@Injectable()
export class TicketTakeover implements OnModuleInit {
  constructor(
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
    private readonly contacts: ContactTakeover,
    private readonly statuses: StatusBook,
    private readonly takeovers: Takeovers,
  ) {}

  onModuleInit(): void {
    this.takeovers.register(new WithHistory(this.tickets, this.database, this.contacts, this.statuses));
  }
}
