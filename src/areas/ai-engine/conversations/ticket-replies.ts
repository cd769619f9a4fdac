import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { CommentsService } from '../../tickets/comments.service';
import { TicketsService } from '../../tickets/tickets.service';
import { AiSettingsService, type HoldingSettings } from '../settings/ai-settings.service';
import { Answering } from './answering';
import { AiConversation } from './conversation.entity';
import { asEngine } from './engine-actor';
import { HandingOver } from './handing-over';
import { messageRows, judged, together } from './message-rows';
import { type Reply, repliedValues, saidBy, spentValues } from './reply';
import { isSameTurn, type TicketTurn, TicketTurns } from './ticket-turns';

/** Who wants an answer: the ticket or a comment itself, as the mode says, or a rule, whatever the mode. */
export type AskedBy = 'ticket' | 'rule';

/** What a model elsewhere wrote, and what of. */
export interface TicketAhead {
  turn: TicketTurn;
  reply: Reply;
}

/**
 * Conversations that are led in tickets: what the engine answers is a public comment, what the requester comments is what they say.
 * Where it is not sure it says nothing: people have the ticket anyway.
 */
@Injectable()
export class TicketReplies {
  constructor(
    @InjectStore(AiConversation) private readonly conversations: Store<AiConversation>,
    private readonly database: Database,
    private readonly settings: AiSettingsService,
    private readonly answering: Answering,
    private readonly turns: TicketTurns,
    private readonly handing: HandingOver,
    private readonly tickets: TicketsService,
    private readonly comments: CommentsService,
  ) {}

  /**
   * What a model elsewhere would say in a ticket now, asked before anything is held; null where none is asked. Outside a unit of work:
   * that may take a minute.
   */
  ahead(ticketId: number, by: AskedBy): Promise<TicketAhead | null> {
    return asEngine(async () => {
      const settings = await this.settings.holding();
      if (settings.model === null) return null;
      const turn = await this.database.transaction(() => this.turnOf(ticketId, settings, by, false));
      if (turn === null) return null;
      const manner = { mayAsk: true, ...(turn.about ? { about: turn.about } : {}) };
      return { turn, reply: await this.answering.replyTo(turn.heard, turn.text, settings, manner) };
    });
  }

  /**
   * Says what is to be said in a ticket now, to the ticket itself or to what its requester has commented since. What was written of
   * another state of the ticket is not said: what is found here takes its place. Inside a unit of work. Whether it said anything.
   */
  next(ticketId: number, ahead: TicketAhead | null, by: AskedBy): Promise<boolean> {
    return asEngine(async () => {
      const settings = await this.settings.holding();
      const turn = await this.turnOf(ticketId, settings, by, true);
      if (turn === null) return false;
      const reply = await this.replyTo(turn, settings, ahead);
      if (turn.led) return this.follow(turn.led, turn, reply, settings);
      return this.open(turn, reply, settings);
    });
  }

  /** Whether a ticket could be answered. Inside a unit of work. */
  isOpen(ticketId: number): Promise<boolean> {
    return asEngine(async () => {
      const wanted = { opens: true, follows: false, isHeld: false };
      return (await this.turns.of(ticketId, wanted)) !== null;
    });
  }

  private turnOf(
    ticketId: number,
    { enabled, mode }: HoldingSettings,
    by: AskedBy,
    isHeld: boolean,
  ): Promise<TicketTurn | null> {
    if (!enabled || (by === 'ticket' && mode === 'off')) return Promise.resolve(null);
    const isRule = by === 'rule';
    return this.turns.of(ticketId, { opens: isRule || mode === 'auto_reply', follows: !isRule, isHeld });
  }

  private async replyTo(turn: TicketTurn, settings: HoldingSettings, ahead: TicketAhead | null): Promise<Reply> {
    const { heard, text, about } = turn;
    const isSame = ahead !== null && isSameTurn(ahead.turn, turn);
    // Rules may have given it a priority, or a category, that goes to a person.
    if (isSame && !(await this.answering.isRuled(heard, text, settings, about))) return ahead.reply;
    return this.answering.replyTo(heard, text, settings, about ? { about } : {});
  }

  /** Answers a ticket where a source is sure enough. */
  private async open(turn: TicketTurn, reply: Reply, settings: HoldingSettings): Promise<boolean> {
    if (reply.step.action !== 'answer') return false;
    const { ticketId: ticket_id, text, lastCommentId: last_comment_id } = turn;
    const { channel, contact_id, created_at: started_at } = turn.ticket;
    await this.conversations.insert({}, (values) => {
      const begun = { ticket_id, contact_id, channel, first_message: text, started_at, last_comment_id };
      Object.assign(values, begun, { turns: 1, answers: 1, episode_turns: 1 }, repliedValues(reply, null));
      return {
        events: ['ai_conversation.replied'],
        rows: messageRows([{ role: 'user', body: text }, saidBy(reply)]),
      };
    });
    await this.comments.add(ticket_id, { body: signed(reply.body, settings) });
    return true;
  }

  /** Goes on with a conversation, or leaves it to people. */
  private async follow(
    before: Row<AiConversation>,
    { ticketId, text, heard, lastCommentId }: TicketTurn,
    reply: Reply,
    settings: HoldingSettings,
  ): Promise<boolean> {
    const now = await this.database.moment();
    const reopened = before.status === 'resolved' ? ['ai_conversation.reopened'] : [];
    const values: Values<AiConversation> = {
      ...{ status: 'awaiting_user_reply', resolution_state: null, last_activity_at: now },
      ...{ last_comment_id: lastCommentId, turns: before.turns + 1, episode_turns: heard.episode_turns + 1 },
      ...(before.status === 'resolved' ? { reopened_at: now } : {}),
      ...spentValues(reply, before),
    };
    const user = { role: 'user', body: text } as const;
    if (reply.step.action === 'answer') {
      Object.assign(values, repliedValues(reply, before), { answers: before.answers + 1 });
      const rows = messageRows([user, saidBy(reply)]);
      await this.conversations.apply(before, { values, events: [...reopened, 'ai_conversation.replied'], rows });
      await this.comments.add(ticketId, { body: signed(reply.body, settings) });
      return true;
    }
    if (reply.step.action === 'resolve') {
      Object.assign(values, { status: 'resolved', resolution_state: 'confirmed', resolved_at: now });
      const rows = together(judged(true), messageRows([user]));
      await this.conversations.apply(before, { values, events: ['ai_conversation.resolved'], rows });
      await this.resolve(ticketId);
      return false;
    }
    const reason =
      reply.step.action === 'handover' ? reply.step.reason : reply.score === null ? 'no_sources' : 'low_confidence';
    const asked = { reason, teamId: settings.handover_team_id, context: null, message: null };
    const { teamId } = await this.handing.ticketOf({ ...before, turns: before.turns + 1 }, asked);
    const over = { handover_reason: reason, handover_to_team_id: teamId, handed_over_at: now };
    Object.assign(values, { status: 'handed_over', ...over });
    const events = [...reopened, 'ai_conversation.handed_over'];
    await this.conversations.apply(before, { values, events, rows: messageRows([user]) });
    return false;
  }

  /** Where a rule of the workspace forbids it, people do it. */
  private async resolve(ticketId: number): Promise<void> {
    try {
      await this.database.savepoint(() => this.tickets.update(ticketId, { status: 'resolved' }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

/** An answer with what stands below all of them. */
function signed(body: string, { signature }: Pick<HoldingSettings, 'signature'>): string {
  return signature === null || signature.trim() === '' ? body : `${body}\n\n${signature}`;
}
