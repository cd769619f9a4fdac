import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { ApiError } from '../../../platform/errors/api-error';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { CommentsService } from '../../tickets/comments.service';
import { TicketsService } from '../../tickets/tickets.service';
import { AiSettingsService, type HoldingSettings } from '../settings/ai-settings.service';
import { textOf } from '../tasks';
import { Answering } from './answering';
import { AiConversation } from './conversation.entity';
import { MAX_MESSAGE } from './conversation-values';
import { asEngine } from './engine-actor';
import { HandingOver } from './handing-over';
import { messageRows, judged, together } from './message-rows';
import { repliedValues, saidBy } from './reply';

interface Asked {
  subject: string;
  description: string;
  status: string;
  channel: Row<AiConversation>['channel'];
  priority: string;
  category_id: number | null;
  contact_id: number | null;
  created_at: string;
  is_answered: boolean;
  last_comment_id: number;
}

/** The last public comment of the requester; 0 without one. */
const LAST = `coalesce((SELECT max(c.id) FROM ticket_comments c WHERE c.workspace_id = t.workspace_id AND c.ticket_id = t.id
  AND c.author_type = 'requester' AND NOT c.is_internal), 0)`;

const ASKED = `
  SELECT t.subject, t.description, t.status, t.channel, t.priority, t.category_id, t.contact_id, t.created_at, ${LAST} AS last_comment_id,
    EXISTS (SELECT FROM ticket_comments h WHERE h.workspace_id = t.workspace_id AND h.ticket_id = t.id AND h.author_type = 'agent'
      AND NOT h.is_internal) AS is_answered
  FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2 AND t.requester_email IS NOT NULL AND t.merged_into_id IS NULL`;

const NEWS = `
  SELECT c.id, c.body FROM ticket_comments c WHERE c.workspace_id = $1 AND c.ticket_id = $2 AND c.id > $3
    AND c.author_type = 'requester' AND NOT c.is_internal ORDER BY c.id LIMIT 20`;

/**
 * Conversations that are led in tickets: what the engine answers is a public comment, what the requester comments is what they say.
 * Where it is not sure it says nothing: people have the ticket anyway. Inside units of work.
 */
@Injectable()
export class TicketReplies {
  constructor(
    @InjectStore(AiConversation) private readonly conversations: Store<AiConversation>,
    @InjectWorkspaceRepository(AiConversation) private readonly known: WorkspaceRepository<AiConversation>,
    private readonly database: Database,
    private readonly settings: AiSettingsService,
    private readonly answering: Answering,
    private readonly handing: HandingOver,
    private readonly tickets: TicketsService,
    private readonly comments: CommentsService,
  ) {}

  /** What is to be said in a ticket now, to the ticket itself or to what its requester has commented since. */
  next(ticketId: number): Promise<void> {
    return asEngine(async () => {
      const settings = await this.settings.holding();
      if (!settings.enabled || settings.mode === 'off') return;
      const led = await this.ledIn(ticketId);
      if (led) await this.follow(led, ticketId, settings);
      else if (settings.mode === 'auto_reply') await this.open(ticketId, settings);
    });
  }

  /** Answers a ticket in which nobody has answered, where a source is sure enough. Whether it did. */
  open(ticketId: number, settings: HoldingSettings): Promise<boolean> {
    return asEngine(async () => {
      const [ticket] = await this.database.query<Asked>(ASKED, [currentWorkspaceId(), ticketId]);
      if (!ticket || ticket.is_answered || ticket.status !== 'open' || (await this.isKnown(ticketId))) return false;
      const text = textOf(ticket).slice(0, MAX_MESSAGE).toWellFormed();
      const { channel, contact_id, priority, category_id, created_at: started_at, last_comment_id } = ticket;
      const heard = { id: 0, ticket_id: ticketId, channel, language: null, action: null, episode_turns: 0 };
      const reply = await this.answering.replyTo(heard, text, settings, {
        about: { priority, category_id, is_answered: false },
      });
      if (reply.step.action !== 'answer') return false;
      const { id } = await this.conversations.insert({}, (values) => {
        const begun = { ticket_id: ticketId, contact_id, channel, first_message: text, started_at, last_comment_id };
        Object.assign(values, begun, { turns: 1, answers: 1, episode_turns: 1 }, repliedValues(reply, null));
        return {
          events: ['ai_conversation.replied'],
          rows: messageRows([{ role: 'user', body: text }, saidBy(reply)]),
        };
      });
      await this.comments.add(ticketId, { body: signed(reply.body, settings) });
      return id > 0;
    });
  }

  private async follow(before: Row<AiConversation>, ticketId: number, settings: HoldingSettings): Promise<void> {
    const { last_comment_id: last } = before;
    if (before.status === 'handed_over' || last === null) return;
    const news = await this.database.query<{ id: number; body: string }>(NEWS, [currentWorkspaceId(), ticketId, last]);
    if (news.length === 0) return;
    const text = news
      .map(({ body }) => body)
      .join('\n\n')
      .slice(0, MAX_MESSAGE)
      .toWellFormed();
    const isOver = before.status !== 'awaiting_user_reply';
    const heard = isOver ? { ...before, action: null, episode_turns: 0 } : before;
    const reply = await this.answering.replyTo(heard, text, settings);
    const now = await this.database.moment();
    const reopened = before.status === 'resolved' ? ['ai_conversation.reopened'] : [];
    const values: Values<AiConversation> = {
      ...{ status: 'awaiting_user_reply', resolution_state: null, last_activity_at: now },
      ...{ last_comment_id: news.at(-1)?.id ?? last, turns: before.turns + 1, episode_turns: heard.episode_turns + 1 },
      ...(before.status === 'resolved' ? { reopened_at: now } : {}),
    };
    const user = { role: 'user', body: text } as const;
    if (reply.step.action === 'answer') {
      Object.assign(values, repliedValues(reply, before), { answers: before.answers + 1 });
      const rows = messageRows([user, saidBy(reply)]);
      await this.conversations.apply(before, { values, events: [...reopened, 'ai_conversation.replied'], rows });
      await this.comments.add(ticketId, { body: signed(reply.body, settings) });
    } else if (reply.step.action === 'resolve') {
      Object.assign(values, { status: 'resolved', resolution_state: 'confirmed', resolved_at: now });
      const rows = together(judged(true), messageRows([user]));
      await this.conversations.apply(before, { values, events: ['ai_conversation.resolved'], rows });
      await this.resolve(ticketId);
    } else {
      const reason =
        reply.step.action === 'handover' ? reply.step.reason : reply.score === null ? 'no_sources' : 'low_confidence';
      const team = settings.handover_team_id;
      const turns = before.turns + 1;
      const asked = { reason, teamId: team, context: null, message: null };
      const { teamId } = await this.handing.ticketOf({ ...before, turns }, asked);
      Object.assign(values, {
        status: 'handed_over',
        handover_reason: reason,
        handover_to_team_id: teamId,
        handed_over_at: now,
      });
      const events = [...reopened, 'ai_conversation.handed_over'];
      await this.conversations.apply(before, { values, events, rows: messageRows([user]) });
    }
  }

  /** Where a rule of the workspace forbids it, people do it. */
  private async resolve(ticketId: number): Promise<void> {
    try {
      await this.database.savepoint(() => this.tickets.update(ticketId, { status: 'resolved' }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** The conversation that is led in a ticket, locked; null where there is none. */
  private async ledIn(ticketId: number): Promise<Row<AiConversation> | null> {
    const led = await this.known.findOne({
      select: { id: true },
      where: { ticket_id: ticketId, last_comment_id: Not(IsNull()) },
      order: { id: 'DESC' },
    });
    return led ? this.conversations.lockIfAny(led.id) : null;
  }

  private async isKnown(ticketId: number): Promise<boolean> {
    return (await this.known.findOne({ select: { id: true }, where: { ticket_id: ticketId } })) !== null;
  }
}

/** An answer with what stands below all of them. */
function signed(body: string, { signature }: Pick<HoldingSettings, 'signature'>): string {
  return signature === null || signature.trim() === '' ? body : `${body}\n\n${signature}`;
}
