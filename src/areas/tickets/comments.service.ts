import { Injectable } from '@nestjs/common';
import { workspaceSettings } from '../../platform/auth/workspace-settings';
import { timestampText } from '../../platform/columns/column-spec';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { demand } from '../../platform/context/demand';
import { invalid } from '../../platform/errors/api-error';
import { Database } from '../../platform/database/database';
import type { ListResult, SingleResult } from '../../platform/http/results';
import { type Change, withRelated } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import type { Row, Values } from '../../platform/resource/rows';
import { andSeen } from '../../platform/resource/read/sight';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import type { AttachedFile } from '../attachments/holders/attached-file';
import { Attaching } from '../attachments/holders/attaching';
import { findContact } from '../contacts/contact-lookup';
import { canonical, ownJson } from '../../platform/text/json';
import { CommentRedaction } from './comment-redaction';
import type { UpdateComment } from './comment.dto';
import { TicketComment } from './comment.entity';
import { FollowersService } from './followers/followers.service';
import { Mentioning } from './followers/mentioning.service';
import { endOfMerges } from './merging/merge-chain';
import { TicketChanges } from './ticket-changes';
import { mayBecome } from '../../platform/state/transitions';
import { TICKET_TRANSITIONS } from './ticket-status';
import type { CommentAuthor } from '../sla/clock-types';
import { SlaService } from '../sla/sla.service';
import { Ticket } from './ticket.entity';
import type { TicketSettings } from './ticket-settings';

/** A comment to be written; without `author_type` it is the actor's own. */
export interface NewComment {
  body: string;
  is_internal?: boolean;
  author_type?: 'agent' | 'requester';
  /** Who wrote it, where that is neither the user of the token nor the ticket's requester, e.g. of a mail. */
  author?: { id: number | null; name: string; email: string | null };
  attachment_ids?: readonly number[];
}

/** Comments of tickets. Their events belong to the ticket: `ticket.comment_added`, `…_updated`, `…_deleted`. */
@Injectable()
export class CommentsService {
  constructor(
    @InjectStore(TicketComment) private readonly records: Store<TicketComment>,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
    private readonly changes: TicketChanges,
    private readonly sla: SlaService,
    private readonly redaction: CommentRedaction,
    private readonly attaching: Attaching,
    private readonly mentioning: Mentioning,
    private readonly followers: FollowersService,
  ) {}

  async listOf(ticketId: number, params: ListParams): Promise<ListResult> {
    await this.tickets.require(ticketId);
    return this.records.list(params, { ticket_id: ticketId });
  }

  /** Adds a comment; a reply to a merged ticket goes to the ticket it was merged into. */
  async add(ticketId: number, body: NewComment): Promise<SingleResult> {
    if (!body.is_internal) demand('tickets.reply');
    return this.database.transaction(async () => {
      if (andSeen('tickets', 't') !== '') await this.tickets.require(ticketId);
      const ticket = (await this.heldTarget(ticketId)) ?? this.tickets.missing(ticketId);
      const author = await this.authorship(ticket, body);
      const is_first_response = await this.answersFirst(ticket, author.author_type, body);
      const taken = await this.attaching.take('comment_id', body);
      const mentioned_ids = await this.mentioning.of(body);
      const written = await this.records.insert(body, (values) => {
        Object.assign(values, author, { is_first_response, mentioned_ids, attachments: taken?.files ?? [] });
        return taken ? { rows: taken.rows } : undefined;
      });
      await this.followers.add(ticket.id, mentioned_ids, 'mention');
      const { events = [], ...change } = await this.effects(ticket, body, author.author_type, is_first_response);
      const related = { comment: ownJson<unknown>(written.json) };
      await this.tickets.apply(ticket, { ...change, events: withRelated(events, related), always: true });
      return this.records.answer(written, 201);
    });
  }

  /**
   * The ticket that a comment would go to, which stays until the commit, and whether it is closed for so long that no requester reopens it;
   * null where it has gone. Inside a unit of work.
   */
  async placeOf(ticketId: number): Promise<{ id: number; isOver: boolean } | null> {
    const ticket = await this.heldTarget(ticketId);
    if (!ticket) return null;
    const isClosed = ticket.status === 'closed';
    return { id: ticket.id, isOver: isClosed && (await this.pastReopenWindow(ticket, await this.database.moment())) };
  }

  /** Changes a comment; a text that it had stays in the ticket's history. */
  async edit(ticketId: number, id: number, body: UpdateComment, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const scope = { ticket_id: ticketId };
      const before = await this.records.lock(id, expected, scope);
      requireMayChange(before);
      const taken = await this.attaching.take('comment_id', body);
      const isEdit = taken !== null || (body.body !== undefined && body.body !== before.body);
      const edit = isEdit ? await this.edited(before, body.body ?? before.body, taken?.files ?? []) : {};
      const change = (_: unknown, values: Values<TicketComment>): Change<TicketComment> => ({
        values: { ...values, ...edit },
        ...(taken ? { rows: taken.rows } : {}),
      });
      const result = await this.records.update(id, body, expected, change, scope);
      const after = await this.records.lock(id, null, scope);
      if (after.version === before.version) return result;
      const mentioned_ids = after.mentioned_ids.filter((user) => !before.mentioned_ids.includes(user));
      await this.followers.add(ticketId, mentioned_ids, 'mention');
      const comment = {
        id,
        ...(isEdit ? { previous_body: before.body, body: after.body, mentioned_ids } : {}),
        ...(taken ? { attachments: taken.files } : {}),
        ...keptBeside(before, after),
      };
      await this.tickets.announce(ticketId, ['ticket.comment_updated'], { comment });
      return result;
    });
  }

  /** Removes the comment; that it was there stays in the ticket's history, what it said goes from wherever it was kept. */
  async removeFrom(ticketId: number, id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      await this.redaction.hold(ticketId, id);
      const ticket = await this.tickets.lock(ticketId);
      const scope = { ticket_id: ticketId };
      const before = await this.records.lock(id, expected, scope);
      requireMayChange(before);
      const { author_type, author_id, author_name, is_internal } = before;
      await this.redaction.forget(ticketId, id);
      const shown = await this.records.remove(id, expected, undefined, scope);
      const values: Values<Ticket> = { comment_count: Math.max(0, ticket.comment_count - 1) };
      if (author_type === 'agent' && !is_internal) values.reply_count = Math.max(0, ticket.reply_count - 1);
      Object.assign(values, await this.lastLeft(ticket, before));
      const related = { comment: { id, author_type, author_id, author_name, is_internal } };
      await this.tickets.apply(ticket, {
        values,
        events: withRelated(['ticket.comment_deleted'], related),
        always: true,
      });
      return shown;
    });
  }

  /** The ticket at the end of the merge chain, locked; null where the caller sees none. One that goes on or goes while it is waited for is looked for again. */
  private async heldTarget(ticketId: number): Promise<Row<Ticket> | null> {
    let held: Row<Ticket> | null = null;
    for (let last: number | null = null; ;) {
      const target = await endOfMerges(this.database, ticketId);
      if (target === null || target === last) return held;
      held = await this.tickets.lockIfAny(target);
      if (held?.merged_into_id === null) return held;
      last = target;
    }
  }

  /** What follows from another text, or more files. */
  private async edited(
    { is_internal, attachments }: Row<TicketComment>,
    body: string,
    files: readonly AttachedFile[],
  ): Promise<Values<TicketComment>> {
    return {
      edited_at: await this.database.moment(),
      mentioned_ids: await this.mentioning.of({ body, is_internal }),
      attachments: [...attachments, ...files],
    };
  }

  private async authorship(
    ticket: Row<Ticket>,
    body: NewComment,
  ): Promise<Values<TicketComment> & { author_type: CommentAuthor }> {
    const fromRequester = body.author_type === 'requester';
    if (fromRequester && body.is_internal) {
      invalid('is_internal', 'invalid', 'A comment of the requester cannot be internal.');
    }
    const user = current().principal?.user ?? null;
    const { actor } = current();
    return {
      ticket_id: ticket.id,
      channel: ticket.channel,
      author_type:
        body.author_type ??
        (actor.type === 'automation' || actor.type === 'ai' || actor.type === 'system' ? actor.type : 'agent'),
      author_id: body.author ? body.author.id : fromRequester ? ticket.contact_id : (user?.id ?? null),
      author_name: body.author?.name ?? (fromRequester ? await this.requesterName(ticket) : (user?.name ?? actor.name)),
      author_email: body.author?.email ?? (fromRequester ? ticket.requester_email : (user?.email ?? null)),
    };
  }

  /** When somebody like the author of a deleted comment wrote last, where that comment was the last of theirs. */
  private async lastLeft(
    ticket: Row<Ticket>,
    { author_type, is_internal, created_at }: Row<TicketComment>,
  ): Promise<Values<Ticket>> {
    const column = LAST_COMMENT[author_type];
    const last = column && ticket[column];
    if (!last || is_internal || Date.parse(created_at) < Date.parse(last)) return {};
    const ids = [currentWorkspaceId(), ticket.id, author_type];
    const [left] = await this.database.query<{ at: string | null }>(LAST_LEFT, ids);
    return { [column]: left?.at ?? null };
  }

  /** How the requester is called: by the ticket, else by their contact, else by the address. */
  private async requesterName({ requester_name, requester_email, contact_id }: Row<Ticket>): Promise<string | null> {
    return requester_name ?? (await findContact(this.database, contact_id, null))?.name ?? requester_email;
  }

  /** What a comment does to its ticket: counters, clocks, first response, and the reopening by a requester's reply. */
  private async effects(
    ticket: Row<Ticket>,
    body: NewComment,
    author: CommentAuthor,
    isFirst: boolean,
  ): Promise<Change<Ticket>> {
    const now = await this.database.moment();
    const values: Values<Ticket> = { comment_count: ticket.comment_count + 1 };
    if (body.is_internal) return { values, events: ['ticket.comment_added'] };
    const reopens = author === 'requester' && (await this.reopens(ticket, now));
    if (author === 'requester') values.last_requester_comment_at = now;
    if (author === 'agent') {
      values.last_agent_comment_at = now;
      values.reply_count = ticket.reply_count + 1;
    }
    if (isFirst) values.first_response_at = now;
    const { events, more, ...change } = await this.changes.follow(ticket, reopens ? { status: 'open' } : {}, {
      comment: { author, is_internal: false },
    });
    const updated = reopens ? ['ticket.updated'] : [];
    return {
      ...change,
      values: { ...change.values, ...values },
      events: [...updated, ...events, 'ticket.comment_added', ...more],
    };
  }

  private async reopens(ticket: Row<Ticket>, now: string): Promise<boolean> {
    const { status } = ticket;
    const waits = status === 'on_hold' || status === 'resolved' || status === 'closed';
    return waits && mayBecome(TICKET_TRANSITIONS, status, 'open') && !(await this.pastReopenWindow(ticket, now));
  }

  /** Agents answer; automations and AI where the ticket's SLA policy says so. */
  private async answersFirst(
    ticket: Row<Ticket>,
    author: CommentAuthor,
    { is_internal }: NewComment,
  ): Promise<boolean> {
    if (ticket.first_response_at !== null || is_internal || author === 'requester' || author === 'system') return false;
    return author === 'agent' || this.sla.aiCounts(ticket.sla_policy_id);
  }

  private async pastReopenWindow({ closed_at }: Row<Ticket>, now: string): Promise<boolean> {
    const days = (await workspaceSettings<TicketSettings>(this.database)).reopen_window_days ?? null;
    return days !== null && closed_at !== null && Date.parse(now) - Date.parse(closed_at) > days * 86_400_000;
  }
}

/** What a change made of that which is neither text nor file. */
function keptBeside(before: Row<TicketComment>, after: Row<TicketComment>): Partial<Row<TicketComment>> {
  const { external_id, custom_fields } = after;
  return {
    ...(external_id === before.external_id ? {} : { external_id }),
    ...(canonical(custom_fields) === canonical(before.custom_fields) ? {} : { custom_fields }),
  };
}

/** Where a ticket says when somebody last wrote what the requester reads. */
const LAST_COMMENT: Partial<Record<CommentAuthor, 'last_agent_comment_at' | 'last_requester_comment_at'>> = {
  agent: 'last_agent_comment_at',
  requester: 'last_requester_comment_at',
};

const LAST_LEFT = `
  SELECT ${timestampText('max(created_at)')} AS at FROM ticket_comments
  WHERE workspace_id = $1 AND ticket_id = $2 AND author_type = $3 AND NOT is_internal`;

/** Public comments are changed by who may write them; the notes of others by who may change the ticket. */
function requireMayChange({ is_internal, author_id, author_type }: Row<TicketComment>): void {
  if (!is_internal) demand('tickets.reply');
  const isOwn = author_type === 'agent' && author_id !== null && author_id === current().principal?.userId;
  if (!isOwn) demand('tickets.update');
}
