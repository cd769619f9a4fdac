import { Injectable } from '@nestjs/common';
import { workspaceSettings } from '../../platform/auth/workspace-settings';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { invalid } from '../../platform/http/errors';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { type Change, ResourceService, type Row } from '../../platform/resource/resource.service';
import type { Values } from '../../platform/resource/resource.service';
import type { ListResult } from '../../platform/http/results';
import { CommentRedaction } from './comment-redaction';
import type { UpdateComment } from './comment.dto';
import { commentResource } from './comment.resource';
import { mayBecome } from '../../platform/state/transitions';
import { TICKET_TRANSITIONS } from './ticket-status';
import type { MergeTicket } from './ticket.dto';
import type { CommentAuthor } from '../sla/clock-types';
import { SlaService } from '../sla/sla.service';
import { TicketsService } from './tickets.service';
import type { TicketStatus } from './ticket-values';

/** A comment to be written; without `author_type` it is the actor's own. */
export interface NewComment {
  body: string;
  is_internal?: boolean;
  author_type?: 'agent' | 'requester';
  /** Who wrote it, where that is neither the user of the token nor the ticket's requester, e.g. of a mail. */
  author?: { id: number | null; name: string; email: string };
}

/** Comments of tickets. Their events belong to the ticket: `ticket.comment_added`, `…_updated`, `…_deleted`. */
@Injectable()
export class CommentsService extends ResourceService {
  constructor(
    kernel: ResourceKernel,
    private readonly tickets: TicketsService,
    private readonly sla: SlaService,
    private readonly redaction: CommentRedaction,
  ) {
    super(commentResource, kernel);
  }

  async listOf(ticketId: number, params: ListParams): Promise<ListResult> {
    await this.requireTicket(ticketId);
    return this.list(params, { ticket_id: ticketId });
  }

  readOf(ticketId: number, id: number): Promise<SingleResult> {
    return this.read(id, { ticket_id: ticketId });
  }

  /** Adds a comment; a reply to a merged ticket goes to the ticket it was merged into. */
  async add(ticketId: number, body: NewComment): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const target = await this.tickets.mergeTarget(ticketId);
      const ticket = await this.tickets.lockTicket(target);
      const author = this.authorship(ticket, body);
      const is_first_response = await this.answersFirst(ticket, author.author_type, body);
      const written = await this.insert(Object.assign(body, author, { is_first_response }));
      const change = await this.effects(ticket, body, author.author_type, is_first_response);
      await this.tickets.applyTo(ticket, { ...change, related: { comment: JSON.parse(written.json) as unknown } });
      return this.answer(written, 201);
    });
  }

  /** Changes the text; the previous one stays in the ticket's history. */
  async edit(ticketId: number, id: number, body: UpdateComment, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const before = await this.lock(id, expected, { ticket_id: ticketId });
      const changed = before.body !== body.body;
      const result = await this.update(id, body, expected, { ticket_id: ticketId });
      if (changed) {
        await this.tickets.announceAbout(ticketId, 'ticket.comment_updated', {
          comment: { id, previous_body: before.body, body: body.body },
        });
      }
      return result;
    });
  }

  /** Removes the comment; that it was there stays in the ticket's history, what it said goes from wherever it was kept. */
  async removeFrom(ticketId: number, id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const ticket = await this.tickets.lockTicket(ticketId);
      const before = await this.lock(id, expected, { ticket_id: ticketId });
      const shown = await this.remove(id, expected, {}, { ticket_id: ticketId });
      await this.redaction.forget(ticketId, id);
      const values: Values = { comment_count: Math.max(0, (ticket.comment_count as number) - 1) };
      if (before.author_type === 'agent' && before.is_internal !== true)
        values.reply_count = Math.max(0, (ticket.reply_count as number) - 1);
      const { author_type, author_id, author_name, is_internal } = before;
      await this.tickets.applyTo(ticket, {
        values,
        events: ['ticket.comment_deleted'],
        silent: true,
        always: true,
        related: { comment: { id, author_type, author_id, author_name, is_internal } },
      });
      return shown;
    });
  }

  /** Merges a ticket into another and leaves the given comment there. */
  async merge(id: number, body: MergeTicket, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const merged = await this.tickets.merge(id, body.into_id, expected);
      if (body.comment !== undefined) await this.add(body.into_id, { body: body.comment });
      return merged;
    });
  }

  protected override async prepareUpdate(before: Row, values: Values): Promise<Change> {
    const edited = values.body !== before.body;
    return { values: edited ? { ...values, edited_at: await this.database.moment() } : values };
  }

  private authorship(ticket: Row, body: NewComment): Values & { author_type: CommentAuthor } {
    const fromRequester = body.author_type === 'requester';
    if (fromRequester && body.is_internal) {
      invalid('is_internal', 'invalid', 'A comment of the requester cannot be internal.');
    }
    const user = current().access?.user ?? null;
    const { actor } = current();
    return {
      ticket_id: ticket.id,
      channel: ticket.channel,
      author_type:
        body.author_type ??
        (actor.type === 'automation' || actor.type === 'ai' || actor.type === 'system' ? actor.type : 'agent'),
      author_id: body.author ? body.author.id : fromRequester ? ticket.contact_id : (user?.id ?? null),
      author_name:
        body.author?.name ??
        (fromRequester ? (ticket.requester_name ?? ticket.requester_email) : (user?.name ?? actor.name)),
      author_email: body.author?.email ?? (fromRequester ? ticket.requester_email : (user?.email ?? null)),
    };
  }

  /** What a comment does to its ticket: counters, clocks, first response, and the reopening by a requester's reply. */
  private async effects(ticket: Row, body: NewComment, author: CommentAuthor, isFirst: boolean): Promise<Change> {
    const now = await this.database.moment();
    const values: Values = { comment_count: (ticket.comment_count as number) + 1 };
    if (body.is_internal) return { values, events: ['ticket.comment_added'], silent: true, always: true };
    const reopens = author === 'requester' && (await this.reopens(ticket, now));
    if (author === 'requester') values.last_requester_comment_at = now;
    if (author === 'agent') {
      values.last_agent_comment_at = now;
      values.reply_count = (ticket.reply_count as number) + 1;
    }
    if (isFirst) values.first_response_at = now;
    const change = await this.tickets.follow(ticket, reopens ? { status: 'open' } : {}, {
      comment: { author, is_internal: false },
    });
    const events = [...(change.events ?? []), 'ticket.comment_added'];
    return { ...change, values: { ...change.values, ...values }, events, silent: !reopens, always: true };
  }

  private async reopens(ticket: Row, now: string): Promise<boolean> {
    const status = ticket.status as TicketStatus;
    const waits = status === 'on_hold' || status === 'resolved' || status === 'closed';
    return waits && mayBecome(TICKET_TRANSITIONS, status, 'open') && !(await this.pastReopenWindow(ticket, now));
  }

  /** Agents answer; automations and AI where the ticket's SLA policy says so. */
  private async answersFirst(ticket: Row, author: CommentAuthor, { is_internal }: NewComment): Promise<boolean> {
    if (ticket.first_response_at !== null || is_internal || author === 'requester' || author === 'system') return false;
    return author === 'agent' || this.sla.aiCounts(ticket.sla_policy_id as number | null);
  }

  private async pastReopenWindow(ticket: Row, now: string): Promise<boolean> {
    const days = (await workspaceSettings(this.database)).reopen_window_days ?? null;
    const closedAt = ticket.closed_at as string | null;
    return (
      days !== null && closedAt !== null && new Date(now).getTime() - new Date(closedAt).getTime() > days * 86_400_000
    );
  }

  private async requireTicket(id: number): Promise<void> {
    const rows = await this.database.read({
      text: `SELECT id FROM tickets WHERE workspace_id = $1 AND id = $2`,
      values: [currentWorkspaceId(), id],
    });
    if (rows.length === 0) this.tickets.refuseMissing(id);
  }
}
