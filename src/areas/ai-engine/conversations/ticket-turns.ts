import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { firstCharacters } from '../../../platform/text/normalise';
import { textOf } from '../tasks';
import { type About, type Heard, heardIn } from './answering';
import { AiConversation } from './conversation.entity';
import { MAX_MESSAGE } from './conversation-values';

interface Asked {
  subject: string;
  description: string;
  status: string;
  channel: Row<AiConversation>['channel'];
  priority: string;
  category_id: number | null;
  contact_id: number | null;
  created_at: string;
  is_askable: boolean;
  is_answered: boolean;
  last_comment_id: number;
  /** How often people have changed it. */
  changes: number;
}

/** What is to be answered in a ticket. */
export interface TicketTurn {
  ticketId: number;
  /** The conversation that is led there; null where the ticket itself is to be answered. */
  led: Row<AiConversation> | null;
  ticket: Asked;
  text: string;
  heard: Heard;
  /** Found out unless given. */
  about?: About;
  /** The last comment of the requester that is taken up by it. */
  lastCommentId: number;
}

/** Which turn is asked for: what a ticket or a comment begins by itself, or what a rule says, whatever the mode. */
export interface Wanted {
  /** New tickets are answered. */
  opens: boolean;
  /** Conversations go on. */
  follows: boolean;
  /** Conversation and ticket are locked until the end of the unit of work. */
  isHeld: boolean;
}

/** The last public comment of the requester; 0 without one. */
const LAST = `coalesce((SELECT max(c.id) FROM ticket_comments c WHERE c.workspace_id = t.workspace_id AND c.ticket_id = t.id
  AND c.author_type = 'requester' AND NOT c.is_internal), 0)`;

/** What people did to it; what rules and the engine itself did is no reason to ask anew. */
const CHANGES = `(SELECT count(*)::integer FROM events e WHERE e.workspace_id = t.workspace_id AND e.object = 'ticket' AND e.object_id = t.id
  AND e.actor ->> 'type' NOT IN ('automation', 'ai', 'system'))`;

const ASKED = `
  SELECT t.subject, t.description, t.status, t.channel, t.priority, t.category_id, t.contact_id, t.created_at, ${LAST} AS last_comment_id, ${CHANGES} AS changes,
    t.requester_email IS NOT NULL AND t.merged_into_id IS NULL AS is_askable,
    EXISTS (SELECT FROM ticket_comments h WHERE h.workspace_id = t.workspace_id AND h.ticket_id = t.id AND h.author_type = 'agent'
      AND NOT h.is_internal) AS is_answered
  FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2`;

const HOLD = 'SELECT t.id FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2 FOR UPDATE';

const NEWS = `
  SELECT c.id, c.body FROM ticket_comments c WHERE c.workspace_id = $1 AND c.ticket_id = $2 AND c.id > $3
    AND c.author_type = 'requester' AND NOT c.is_internal ORDER BY c.id LIMIT 20`;

/** Tells what is to be answered in tickets. */
@Injectable()
export class TicketTurns {
  constructor(
    @InjectStore(AiConversation) private readonly conversations: Store<AiConversation>,
    @InjectWorkspaceRepository(AiConversation) private readonly known: WorkspaceRepository<AiConversation>,
    private readonly database: Database,
  ) {}

  /** What is to be answered now; null = nothing. Inside a unit of work, as the engine. */
  async of(ticketId: number, { opens, follows, isHeld }: Wanted): Promise<TicketTurn | null> {
    const led = await this.ledIn(ticketId, isHeld);
    if (led ? !follows : !opens) return null;
    const key = [currentWorkspaceId(), ticketId];
    // Ahead of what is read: whoever comments or changes it meanwhile is waited for.
    if (isHeld) await this.database.query(HOLD, key);
    const [ticket] = await this.database.query<Asked>(ASKED, key);
    if (!ticket) return null;
    return led ? this.followed(ticketId, ticket, led) : this.opened(ticketId, ticket);
  }

  /** The ticket itself, where nobody has answered. */
  private async opened(ticketId: number, ticket: Asked): Promise<TicketTurn | null> {
    const { channel, priority, category_id, last_comment_id: lastCommentId } = ticket;
    if (!ticket.is_askable || ticket.is_answered || ticket.status !== 'open' || (await this.isKnown(ticketId)))
      return null;
    const text = firstCharacters(textOf(ticket), MAX_MESSAGE);
    const heard = { id: 0, ticket_id: ticketId, channel, language: null, action: null, episode_turns: 0 };
    const about = { priority, category_id, is_answered: false };
    return { ticketId, led: null, ticket, text, heard, about, lastCommentId };
  }

  /** What its requester has commented since. */
  private async followed(ticketId: number, ticket: Asked, led: Row<AiConversation>): Promise<TicketTurn | null> {
    const { last_comment_id: last } = led;
    if (led.status === 'handed_over' || last === null) return null;
    const news = await this.database.query<{ id: number; body: string }>(NEWS, [currentWorkspaceId(), ticketId, last]);
    const lastCommentId = news.at(-1)?.id;
    if (lastCommentId === undefined) return null;
    const said = news.map(({ body }) => body).join('\n\n');
    const text = firstCharacters(said, MAX_MESSAGE);
    return { ticketId, led, ticket, text, heard: heardIn(led), lastCommentId };
  }

  /** The conversation that is led in a ticket; null where there is none. */
  private async ledIn(ticketId: number, isHeld: boolean): Promise<Row<AiConversation> | null> {
    const led = await this.known.findOne({
      select: { id: true },
      where: { ticket_id: ticketId, last_comment_id: Not(IsNull()) },
      order: { id: 'DESC' },
    });
    if (!led) return null;
    return isHeld ? this.conversations.lockIfAny(led.id) : this.conversations.find(led.id);
  }

  private async isKnown(ticketId: number): Promise<boolean> {
    return (await this.known.findOne({ select: { id: true }, where: { ticket_id: ticketId } })) !== null;
  }
}

/** Whether nobody said or changed anything since: what was written for the one is right for the other, if the rules agree. */
export function isSameTurn(one: TicketTurn, other: TicketTurn): boolean {
  const isSameConversation = one.led?.id === other.led?.id && one.led?.version === other.led?.version;
  return isSameConversation && one.text === other.text && one.ticket.changes === other.ticket.changes;
}
