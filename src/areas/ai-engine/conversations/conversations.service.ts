import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import { sql } from '../../../platform/postgres/statement-batch';
import type { Change, Creation, Written } from '../../../platform/resource/change';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectReader, InjectStore } from '../../../platform/resource/store.module';
import { ChatDesk } from '../../channels/webchat/chat-desk';
import { ContactsService } from '../../contacts/contacts.service';
import { AskedTickets } from '../predictions/asked-tickets';
import { AiSettingsService, type HoldingSettings } from '../settings/ai-settings.service';
import { refuseSwitchedOff } from '../settings/switched-off';
import { Answering, heardIn } from './answering';
import type { ConversationFeedback, HandOver, SayMessage, StartConversation } from './conversation.dto';
import { AiConversation } from './conversation.entity';
import type { HandoverReason } from './conversation-values';
import { asEngine } from './engine-actor';
import { HandingOver } from './handing-over';
import { AiMessage } from './message.entity';
import { judged, messageRows, type NewMessage, together } from './message-rows';
import type { Listener } from '../streaming/listener';
import { type Reply, repliedValues, saidBy } from './reply';

/** Conversations of customers with the engine: product reference 7.3. One message of a conversation after the other. */
@Injectable()
export class ConversationsService {
  constructor(
    @InjectStore(AiConversation) private readonly conversations: Store<AiConversation>,
    @InjectReader(AiMessage) private readonly messages: Reader<AiMessage>,
    private readonly database: Database,
    private readonly settings: AiSettingsService,
    private readonly answering: Answering,
    private readonly handing: HandingOver,
    private readonly tickets: AskedTickets,
    private readonly contacts: ContactsService,
    private readonly chats: ChatDesk,
  ) {}

  async messagesOf(id: number, params: ListParams): Promise<ListResult> {
    await this.conversations.require(id);
    return this.messages.list(params, { conversation_id: id });
  }

  /** @param listener hears the answer while it is made */
  async start(body: StartConversation, listener: Listener | null = null): Promise<SingleResult> {
    const settings = await this.settings.holding();
    refuseSwitchedOff(settings, 'message');
    const { message, history = [], ticket_id = null, channel = 'chat', language = null } = body;
    if (ticket_id !== null) await this.tickets.require(ticket_id);
    const heard = { id: 0, ticket_id, channel, language, action: null, episode_turns: 0 };
    const about = await this.answering.aboutTicket(ticket_id);
    const earlier = history.findLast(({ role }) => role === 'user')?.body ?? null;
    const reply = await this.answering.replyTo(heard, message, settings, { about, mayAsk: true, listener, earlier });
    const begun = { ticket_id, channel, language, first_message: message };
    const isKept = reply.step.action === 'answer' || reply.step.action === 'clarify';
    const kept = (contact_id: number | null): Promise<SingleResult> =>
      this.conversations.create({}, (values) =>
        this.begun(Object.assign(values, begun, { contact_id }), history, reply),
      );
    // Nothing else is written then.
    if (isKept && body.contact_email === undefined) return kept(await this.contactOf(body));
    return this.database.transaction(async () => {
      const contact_id = await this.contactOf(body);
      if (isKept) return kept(contact_id);
      const { id } = await this.conversations.insert({}, (values) => {
        Object.assign(values, begun, { contact_id });
        return history.length > 0 ? { rows: messageRows(history) } : {};
      });
      const before = await this.conversations.lock(id);
      const written = await this.write(before, await this.turn(before, message, reply, settings));
      return written ? this.conversations.answer(written, 201) : this.conversations.missing(id);
    });
  }

  /** @param listener hears the answer while it is made */
  async say(
    id: number,
    { message }: SayMessage,
    expected: ExpectedVersions,
    listener: Listener | null = null,
  ): Promise<SingleResult> {
    const settings = await this.settings.holding();
    const ahead = await this.ahead(id, message, settings, listener);
    const change = async (before: Row<AiConversation>): Promise<Change<AiConversation>> => {
      requireOwn(before);
      if (before.status !== 'handed_over') {
        // What is to be said of another state of the conversation, or of its ticket, is not said: it is found anew.
        const isSame = ahead?.version === before.version && !(await this.answering.isWithPerson(before));
        const reply = isSame ? ahead.reply : await this.answering.replyTo(heardIn(before), message, settings);
        return this.turn(before, message, reply, settings);
      }
      if (before.ticket_id !== null) await this.handing.pass(before.ticket_id, message);
      return {
        values: { turns: before.turns + 1, last_activity_at: await this.database.moment() },
        events: ['ai_conversation.messaged'],
        rows: messageRows([{ role: 'user', body: message }]),
      };
    };
    return this.change(id, expected, change, ahead !== null);
  }

  /** What is to be said, found or asked for before anything is held; null where nothing is to be said, or it is led elsewhere. */
  private async ahead(
    id: number,
    message: string,
    settings: HoldingSettings,
    listener: Listener | null,
  ): Promise<{ version: number; reply: Reply } | null> {
    const before = await this.conversations.find(id);
    if (!before || before.last_comment_id !== null || before.thread_id !== null) return null;
    if (before.status === 'handed_over') return null;
    const reply = await this.answering.replyTo(heardIn(before), message, settings, { mayAsk: true, listener });
    return { version: before.version, reply };
  }

  /** A conversation that begins with its first answer, or question back. */
  private begun(values: Values<AiConversation>, history: readonly NewMessage[], reply: Reply): Creation {
    const { action } = reply.step;
    Object.assign(values, repliedValues(reply, null), {
      turns: 1,
      episode_turns: 1,
      answers: action === 'answer' ? 1 : 0,
    });
    const said = [...history, { role: 'user', body: values.first_message ?? '' } as const, saidBy(reply)];
    return { events: ['ai_conversation.replied'], rows: messageRows(said) };
  }

  handOver(id: number, { reason = 'requested', context }: HandOver, expected: ExpectedVersions): Promise<SingleResult> {
    return this.change(id, expected, async (before) => {
      if (before.status === 'handed_over') return { values: {} };
      const given = await this.handedOver(before, before.language, reason, await this.settings.holding(), {
        context: context ?? null,
      });
      return { values: given, events: ['ai_conversation.handed_over'] };
    });
  }

  /** What the customer thinks of it. */
  rate(id: number, body: ConversationFeedback, expected: ExpectedVersions): Promise<SingleResult> {
    return this.change(id, expected, async (before) => {
      const { helpful, score, comment } = body;
      if (helpful === undefined && score === undefined && comment === undefined)
        invalid('helpful', 'required', 'At least one of "helpful", "score" and "comment" is needed.');
      const rated: Change<AiConversation> = {
        values: {
          ...(score === undefined ? {} : { csat_score: score }),
          ...(comment === undefined ? {} : { csat_comment: comment }),
        },
        events: ['ai_conversation.rated'],
      };
      if (helpful === undefined) return rated;
      if (before.answers === 0) invalid('helpful', 'no_answer', 'Nothing was answered in this conversation yet.');
      const { values, events } = ended(before, helpful, await this.database.moment());
      return {
        values: { ...rated.values, ...values },
        events: [...(rated.events ?? []), ...events],
        rows: judged(helpful),
        always: true,
      };
    });
  }

  private change(
    id: number,
    expected: ExpectedVersions,
    decide: (before: Row<AiConversation>) => Promise<Change<AiConversation>>,
    isNoChat = false,
  ): Promise<SingleResult> {
    return this.database.transaction(async () => {
      // Whoever speaks in a chat holds it before the conversation that is led there.
      const { thread_id = null } = (isNoChat ? null : await this.conversations.find(id)) ?? {};
      if (thread_id !== null) await this.chats.hold(thread_id);
      const before = await this.conversations.lock(id, expected);
      const change = await decide(before);
      const written = isMoved(before, change)
        ? await this.write(before, change)
        : await this.conversations.apply(before, change, this.conversations.answersAsWritten());
      return written ? this.conversations.answer(written) : this.conversations.read(id);
    });
  }

  /** Stores what a turn made of a conversation. Whoever sees few tickets need not see the one that was made of it. */
  write(before: Row<AiConversation>, change: Change<AiConversation>): Promise<Written | null> {
    const write = (): Promise<Written | null> => this.conversations.apply(before, change);
    return isMoved(before, change) ? asEngine(write) : write();
  }

  /** What becomes of a conversation that no person has when the customer says something. Inside the unit of work that holds it. */
  async turn(
    before: Row<AiConversation>,
    message: string,
    reply: Reply,
    settings: HoldingSettings,
  ): Promise<Change<AiConversation>> {
    const now = await this.database.moment();
    const { step, language } = reply;
    const turns = before.turns + 1;
    const values: Values<AiConversation> = {
      ...repliedValues(reply, before),
      ...{ turns, last_activity_at: now, episode_turns: heardIn(before).episode_turns + 1, resolution_state: null },
      ...(before.status === 'resolved' ? { reopened_at: now } : {}),
      ...(before.status === 'awaiting_user_reply' ? {} : { status: 'awaiting_user_reply' }),
    };
    const rows = messageRows([{ role: 'user', body: message }, saidBy(reply)]);
    const reopened = before.status === 'resolved' ? ['ai_conversation.reopened'] : [];
    if (step.action === 'handover') {
      const given = await this.handedOver({ ...before, turns }, language, step.reason, settings, { message });
      const events = [...reopened, 'ai_conversation.handed_over'];
      return { values: { ...values, ...given }, events, rows };
    }
    if (step.action === 'resolve') {
      const over = ended(before, true, now);
      return {
        values: { ...values, ...over.values },
        events: ['ai_conversation.replied', ...over.events],
        rows: together(judged(true), rows),
      };
    }
    if (step.action === 'answer') values.answers = before.answers + 1;
    return { values, events: [...reopened, 'ai_conversation.replied'], rows };
  }

  private async handedOver(
    before: Row<AiConversation>,
    language: string | null,
    reason: HandoverReason,
    { handover_team_id: team }: HoldingSettings,
    { message = null, context = null }: { message?: string | null; context?: string | null },
  ): Promise<Values<AiConversation>> {
    const asked = { reason, teamId: team, context, message };
    const known = { ...before, language };
    const { ticketId: ticket_id, teamId } =
      before.thread_id === null
        ? await this.handing.ticketOf(known, asked)
        : { ticketId: await this.handing.ticketOfChat(before.thread_id, known, asked), teamId: team };
    const handed_over_at = await this.database.moment();
    return {
      ...{ status: 'handed_over', ticket_id, handover_reason: reason, handover_to_team_id: teamId, handed_over_at },
      last_activity_at: handed_over_at,
    };
  }

  /** Whose it is: of the address that is given, else of the ticket. */
  private async contactOf({ contact_email: email, ticket_id }: StartConversation): Promise<number | null> {
    if (email !== undefined) {
      const { id, is_blocked } = await this.contacts.upsertByEmail(email, null, null);
      if (is_blocked) invalid('contact_email', 'blocked', 'This contact is blocked.');
      return id;
    }
    if (ticket_id === undefined) return null;
    const text = 'SELECT t.contact_id FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2';
    const statement = sql<{ contact_id: number | null }>(text, [currentWorkspaceId(), ticket_id]);
    return (await this.database.read(statement))[0]?.contact_id ?? null;
  }
}

/** Whether it is about another ticket from now on. */
function isMoved(before: Row<AiConversation>, { values }: Change<AiConversation>): boolean {
  return (values.ticket_id ?? before.ticket_id) !== before.ticket_id;
}

/** @throws ApiError 422 for one that is led elsewhere */
function requireOwn({ last_comment_id, thread_id }: Row<AiConversation>): void {
  if (last_comment_id === null && thread_id === null) return;
  const why = 'This conversation is led in its ticket, or its chat: what the customer says is said there.';
  invalid('message', thread_id === null ? 'in_ticket' : 'in_chat', why);
}

/** What the customer's word on the last answer makes of a conversation. What a person has stays with them. */
function ended(
  before: Row<AiConversation>,
  helpful: boolean,
  now: string,
): { values: Values<AiConversation>; events: string[] } {
  const { status } = before;
  if (!helpful) {
    const values: Values<AiConversation> = { resolution_state: 'negative_feedback' };
    if (status !== 'resolved') return { values, events: [] };
    return {
      values: { ...values, status: 'awaiting_user_reply', reopened_at: now, last_activity_at: now },
      events: ['ai_conversation.reopened'],
    };
  }
  const values: Values<AiConversation> = { resolution_state: 'confirmed' };
  if (status === 'handed_over' || status === 'resolved') return { values, events: [] };
  return { values: { ...values, status: 'resolved', resolved_at: now }, events: ['ai_conversation.resolved'] };
}
