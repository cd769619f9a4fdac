// Own reads: of comments that come in by the hundred, the tickets alone.
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { In } from 'typeorm';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { PlainTakeover } from '../../../platform/resource/plain-takeover';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { idsOf } from '../../../platform/resource/record-ids';
import type { Row, Values } from '../../../platform/resource/rows';
import {
  type Left,
  type PutBack,
  type Revised,
  type Revision,
  type TakenOver,
  type TakenValues,
  Takeovers,
  type Told,
} from '../../../platform/resource/takeover';
import type { Changes } from '../../../platform/events/event-rows';
import { TicketComment } from '../comment.entity';
import { Ticket } from '../ticket.entity';

/** What other systems knew of a comment that bodies here may not say. */
const MORE = ['ticket_id', 'author_name', 'author_email', 'edited_at'] as const;
/** Who said it, and of what, does not change. */
const FIXED = ['ticket_id', 'author_name', 'author_email', 'author_type', 'channel', 'created_at'] as const;

/** Comments come with their authors and moments; their ticket counts them, and is no other for that. */
class WithAuthors extends PlainTakeover<TicketComment> {
  private readonly tickets: WorkspaceRepository<Ticket>;

  constructor(
    records: Store<TicketComment>,
    database: Database,
    private readonly told: Store<Ticket>,
  ) {
    super(records, database, { place: 70, needs: ['ticket_id'], more: MORE, fixed: FIXED });
    this.tickets = new WorkspaceRepository(database, Ticket);
  }

  override async store(records: readonly TakenValues[], told: Told): Promise<TakenOver> {
    const emails = records.flatMap(({ author_email }) => (typeof author_email === 'string' ? [author_email] : []));
    const [users, contacts] = [
      await idsOf(this.database, 'users', 'email', emails),
      await idsOf(this.database, 'contacts', 'email', emails),
    ];
    const named = [...new Set(records.flatMap(({ ticket_id }) => (typeof ticket_id === 'number' ? [ticket_id] : [])))];
    const tickets = await this.tickets.find({ select: { id: true, channel: true }, where: { id: In(named) } });
    const channels = new Map(tickets.map(({ id, channel }) => [id, channel]));
    const complete = records.map((record) => {
      const { author_email, ticket_id } = record;
      const email = typeof author_email === 'string' ? author_email.toLowerCase() : '';
      const [user, contact] = [users.get(email), contacts.get(email)];
      const author_type = record.author_type ?? (user === undefined && contact !== undefined ? 'requester' : 'agent');
      const author_id = (author_type === 'requester' ? contact : user) ?? null;
      const channel = (typeof ticket_id === 'number' ? channels.get(ticket_id) : undefined) ?? 'portal';
      return { ...record, author_type, author_id, channel };
    });
    const ids = await this.insert(complete, told);
    await this.count(named);
    return { ids };
  }

  override async revise(revisions: readonly Revision[], told: Told): Promise<Revised[]> {
    const revised = await super.revise(revisions, told);
    const tickets = await this.ticketsOf(revised.map(({ id }) => id));
    for (const { id, changes } of revised) await this.tell(id, tickets.get(id), changes, told);
    await this.count([...new Set(tickets.values())]);
    return revised;
  }

  override async putBack(id: number, changes: Changes, told: Told): Promise<PutBack | null> {
    const back = await super.putBack(id, changes, told);
    const ticket = (await this.ticketsOf([id])).get(id);
    if (back && ticket !== undefined) {
      await this.tell(id, ticket, changes, told);
      await this.count([ticket]);
    }
    return back;
  }

  /** Whoever edits a comment has edited it at some time. */
  protected override revision(before: Row<TicketComment>, values: Values<TicketComment>): Values<TicketComment> {
    if (values.body === undefined || values.edited_at) return values;
    return { ...values, edited_at: values.updated_at ?? before.updated_at };
  }

  /** The history of the ticket says that a comment is another now. */
  private async tell(id: number, ticket: number | undefined, changes: Changes, told: Told): Promise<void> {
    if (ticket === undefined || Object.keys(changes).length === 0) return;
    const comment = { id, ...(changes.body ? { previous_body: changes.body.from, body: changes.body.to } : {}) };
    await this.told.announce(ticket, ['ticket.comment_updated'], { comment, imported: true }, told === 'none');
  }

  private async ticketsOf(ids: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.database.query<{ id: number; ticket_id: number }>(
      'SELECT id, ticket_id FROM ticket_comments WHERE workspace_id = $1 AND id = ANY($2::bigint[])',
      [currentWorkspaceId(), ids],
    );
    return new Map(rows.map(({ id, ticket_id }) => [id, ticket_id]));
  }

  override async takeBack(taken: readonly Left[]): Promise<number[]> {
    const rows = await this.database.query<{ ticket_id: number }>(
      'SELECT DISTINCT ticket_id FROM ticket_comments WHERE workspace_id = $1 AND id = ANY($2::bigint[])',
      [currentWorkspaceId(), taken.map(({ id }) => id)],
    );
    const gone = await super.takeBack(taken);
    await this.count(rows.map(({ ticket_id }) => ticket_id));
    return gone;
  }

  /** What tickets know of their comments. Whoever wrote to one here has answered it here, so that only ever gets more. */
  private async count(tickets: readonly number[]): Promise<void> {
    await this.database.query(
      `UPDATE tickets t SET comment_count = c.n, reply_count = c.replies, last_requester_comment_at = c.asked, last_agent_comment_at = c.answered,
         first_response_at = coalesce(t.first_response_at, c.first)
       FROM (SELECT k.id, count(m.id) AS n, count(m.id) FILTER (WHERE m.author_type = 'agent' AND NOT m.is_internal) AS replies,
               min(m.created_at) FILTER (WHERE m.author_type = 'agent' AND NOT m.is_internal) AS first,
               max(m.created_at) FILTER (WHERE m.author_type = 'agent' AND NOT m.is_internal) AS answered,
               max(m.created_at) FILTER (WHERE m.author_type = 'requester' AND NOT m.is_internal) AS asked
             FROM unnest($2::bigint[]) AS k(id) LEFT JOIN ticket_comments m ON m.workspace_id = $1 AND m.ticket_id = k.id GROUP BY k.id) c
       WHERE t.workspace_id = $1 AND t.id = c.id`,
      [currentWorkspaceId(), [...tickets].sort((left, right) => left - right)],
    );
  }
}

/** How comments come in from another system. */
@Injectable()
export class CommentTakeover implements OnModuleInit {
  constructor(
    @InjectStore(TicketComment) private readonly comments: Store<TicketComment>,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
    private readonly takeovers: Takeovers,
  ) {}

  onModuleInit(): void {
    this.takeovers.register(new WithAuthors(this.comments, this.database, this.tickets));
  }
}
