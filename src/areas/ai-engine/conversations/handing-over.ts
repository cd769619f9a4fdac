import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import type { Row } from '../../../platform/resource/rows';
import { firstCharacters, shortened } from '../../../platform/text/normalise';
import { ChatDesk } from '../../channels/webchat/chat-desk';
import { findContact } from '../../contacts/contact-lookup';
import { CommentsService } from '../../tickets/comments.service';
import { MAX_TEXT } from '../../tickets/ticket-values';
import { TicketsService } from '../../tickets/tickets.service';
import type { HandoverReason } from './conversation-values';
import type { AiConversation } from './conversation.entity';
import { asEngine } from './engine-actor';

/** Who a conversation belongs to, and what was said in it. */
export type HandedOver = Pick<
  Row<AiConversation>,
  'id' | 'ticket_id' | 'contact_id' | 'channel' | 'first_message' | 'turns' | 'answers' | 'last_comment_id'
> & { language: string | null };

/** Why, and what whoever takes over should know. */
export interface Handover {
  reason: HandoverReason;
  teamId: number | null;
  context: string | null;
  /** What the customer has just said, which is not kept yet. */
  message: string | null;
}

const MAX_SUBJECT = 120;
const MOST_MESSAGES = 100;

/** Gives a conversation to people: as a ticket of its own, or as a comment on the one that it is about. */
@Injectable()
export class HandingOver {
  constructor(
    private readonly database: Database,
    private readonly tickets: TicketsService,
    private readonly comments: CommentsService,
    private readonly chats: ChatDesk,
  ) {}

  /**
   * The ticket that it goes on with, and the team that has it then. Inside the unit of work that holds the conversation; done by the engine,
   * whoever asked.
   */
  ticketOf(conversation: HandedOver, handover: Handover): Promise<{ ticketId: number; teamId: number | null }> {
    return asEngine(async () => {
      const said = await this.said(conversation, handover.message);
      const ticketId = conversation.ticket_id ?? (await this.newTicket(conversation, said, handover));
      if (conversation.ticket_id !== null && conversation.last_comment_id === null) await this.append(ticketId, said);
      if (conversation.ticket_id !== null && handover.teamId !== null) await this.give(ticketId, handover.teamId);
      await this.tell(ticketId, conversation, handover);
      return { ticketId, teamId: (await this.holdersOf(ticketId)).team_id };
    });
  }

  /** A ticket that nobody has goes to the team, unless a rule of the workspace forbids it. */
  private async give(ticketId: number, teamId: number): Promise<void> {
    const { team_id: had, assigned_to: assignee } = await this.holdersOf(ticketId);
    if (had !== null || assignee !== null) return;
    try {
      await this.database.savepoint(() => this.tickets.update(ticketId, { team_id: teamId }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  private async holdersOf(ticketId: number): Promise<{ team_id: number | null; assigned_to: number | null }> {
    const [holders] = await this.database.query<{ team_id: number | null; assigned_to: number | null }>(
      'SELECT t.team_id, t.assigned_to FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2',
      [currentWorkspaceId(), ticketId],
    );
    return holders ?? { team_id: null, assigned_to: null };
  }

  /** The same of a conversation that is led in a chat: its ticket has all that was said there, and the chat goes on with it. */
  ticketOfChat(threadId: number, conversation: HandedOver, handover: Handover): Promise<number> {
    return asEngine(async () => {
      const ticketId = await this.chats.handOver(threadId, handover.teamId);
      await this.tell(ticketId, conversation, handover);
      return ticketId;
    });
  }

  /** What the customer says after that. */
  async pass(ticketId: number, message: string): Promise<void> {
    await this.comments.add(ticketId, { body: message, author_type: 'requester' });
  }

  /** Why, for whoever takes over. */
  private async tell(
    ticketId: number,
    { id, turns, answers }: HandedOver,
    { reason, context }: Handover,
  ): Promise<void> {
    const facts = `The AI engine handed over conversation ${id} (${reason}): ${turns} messages, ${answers} answers.`;
    const body = context === null || context.trim() === '' ? facts : `${facts}\n\n${context}`;
    await this.comments.add(ticketId, { body, is_internal: true });
    await this.tickets.tell(ticketId, 'ticket.handed_over', { conversation: { id, reason, turns, answers } });
  }

  private async newTicket(
    { channel, contact_id, language }: HandedOver,
    said: readonly string[],
    { teamId }: Handover,
  ): Promise<number> {
    const contact = contact_id === null ? null : await findContact(this.database, contact_id, null);
    const body = {
      subject: subjectOf(said[0] ?? ''),
      description: firstCharacters(said.join('\n\n'), MAX_TEXT),
      channel,
      requester_email: contact?.email ?? null,
      team_id: teamId,
    };
    return (await this.tickets.createKnown(body, { language })).id;
  }

  /** What the customer said, but what the ticket says already. */
  private async append(ticketId: number, said: readonly string[]): Promise<void> {
    const [ticket] = await this.database.query<{ description: string }>(
      'SELECT t.description FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2',
      [currentWorkspaceId(), ticketId],
    );
    const news = said.filter((message) => message.trim() !== ticket?.description.trim());
    if (news.length > 0) await this.pass(ticketId, firstCharacters(news.join('\n\n'), MAX_TEXT));
  }

  private async said({ id }: HandedOver, message: string | null): Promise<string[]> {
    const kept = await this.database.query<{ body: string }>(
      `SELECT m.body FROM ai_messages m WHERE m.workspace_id = $1 AND m.conversation_id = $2 AND m.role = 'user'
       ORDER BY m.created_at, m.id LIMIT ${MOST_MESSAGES}`,
      [currentWorkspaceId(), id],
    );
    return [...kept.map(({ body }) => body), ...(message === null ? [] : [message])];
  }
}

/** The beginning of what somebody said, on one line. */
function subjectOf(message: string): string {
  return shortened(message.replaceAll(/\s+/g, ' ').trim(), MAX_SUBJECT);
}
