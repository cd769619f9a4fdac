import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ChatDesk, type HeldChat, type VisitorWord } from '../../channels/webchat/chat-desk';
import { languageOf } from '../language/languages';
import { NOTHING_SPENT } from '../provider/spent';
import { AiSettingsService, type HoldingSettings } from '../settings/ai-settings.service';
import { type About, Answering, type Heard, heardIn } from './answering';
import { AiConversation } from './conversation.entity';
import { MAX_MESSAGE } from './conversation-values';
import { ConversationsService } from './conversations.service';
import { asEngine } from './engine-actor';
import { phraseOf } from './phrases';
import type { Reply } from './reply';

/** What a visitor said that is to be answered. */
interface Turn {
  /** The conversation that it belongs to; null where it begins one, or none is led. */
  led: Row<AiConversation> | null;
  /** Of the last of it. */
  position: number;
  text: string;
  /** By the button for that: no rule and no source is asked. */
  asksForPerson: boolean;
  heard: Heard;
  about: About;
}

/** What a model elsewhere wrote, and what of. */
export interface Ahead {
  turn: Turn;
  reply: Reply;
}

const UNKNOWN: Heard = { id: 0, ticket_id: null, channel: 'chat', language: null, action: null, episode_turns: 0 };

/**
 * Conversations that are led in chats. Where the channel says `auto`, the engine has what a visitor says until it gives the chat to
 * people, and says nothing any more from then on; where it says `suggest`, it notes what it would answer.
 */
@Injectable()
export class ChatReplies {
  constructor(
    @InjectStore(AiConversation) private readonly conversations: Store<AiConversation>,
    @InjectWorkspaceRepository(AiConversation) private readonly known: WorkspaceRepository<AiConversation>,
    private readonly database: Database,
    private readonly settings: AiSettingsService,
    private readonly answering: Answering,
    private readonly talks: ConversationsService,
    private readonly chats: ChatDesk,
  ) {}

  /**
   * What a model elsewhere would say in a chat now, asked before anything is held; null where none is asked. Outside a unit of work:
   * that may take a minute.
   */
  ahead(threadId: number): Promise<Ahead | null> {
    return asEngine(async () => {
      const settings = await this.settings.holding();
      if (settings.model === null || !settings.enabled || settings.mode === 'off') return null;
      const chat = await this.database.transaction(() => this.chats.look(threadId));
      if (chat === null || chat.ai === 'off' || (chat.ai === 'auto' && chat.ticketId !== null)) return null;
      const turn = await this.database.transaction(async () => this.turnOf(chat, await this.last(threadId)));
      if (turn === null || turn.about.is_answered || turn.asksForPerson) return null;
      const { heard, text, about } = turn;
      const reply = await this.answering.replyTo(heard, text, settings, { about, mayAsk: true });
      return { reply, turn };
    });
  }

  /** What is to be said in a chat now. What was written of another state of the chat is not said: what is found here takes its place. */
  next(threadId: number, ahead: Ahead | null): Promise<void> {
    return asEngine(async () => {
      const chat = await this.chats.hold(threadId);
      if (chat === null || chat.ai === 'off') return;
      const stored = await this.settings.holding();
      // Nobody waits for an engine that is switched off: people take over.
      const settings = { ...stored, enabled: stored.enabled && stored.mode !== 'off' };
      if (chat.ai === 'auto') await this.lead(chat, settings, ahead);
      else if (settings.enabled) await this.suggest(chat, settings, ahead);
    });
  }

  private async lead(chat: HeldChat, settings: HoldingSettings, ahead: Ahead | null): Promise<void> {
    const last = await this.last(chat.threadId, true);
    if (chat.ticketId !== null) return this.leave(last, chat.ticketId);
    const turn = await this.turnOf(chat, last);
    if (turn === null) return;
    const { text, about, position } = turn;
    const before = turn.led ?? (await this.begin(chat, text));
    const said = await this.replyTo({ ...turn, heard: heardIn(before) }, settings, ahead);
    const change = await this.talks.turn(before, text, said, settings);
    await this.talks.write(before, { ...change, values: { ...change.values, last_position: position } });
    const { reply = null, status, language = null } = change.values;
    // Whoever answered already need not be announced.
    if (about.is_answered || reply === null) return;
    await this.chats.say(chat.threadId, reply);
    if (status === 'handed_over') await this.sayAway(chat.threadId, language);
  }

  /** What was said that nobody has answered; null = nothing. Inside a unit of work. */
  private async turnOf(chat: HeldChat, last: Row<AiConversation> | null): Promise<Turn | null> {
    const isLed = chat.ai === 'auto';
    // Behind a hand-over whose ticket is closed begins another conversation.
    const isOver = last?.status === 'handed_over';
    const led = isOver || !isLed ? null : last;
    const taken = isLed ? (last?.last_position ?? 0) : 0;
    const news = await this.chats.news(chat.threadId, led ? taken : Math.max(taken, chat.answeredAt));
    const position = news.at(-1)?.position;
    if (position === undefined) return null;
    return {
      ...{ led, position, text: textOf(news), asksForPerson: isLed && news.some((each) => each.asksForPerson) },
      heard: led ? heardIn(led) : { ...UNKNOWN, ticket_id: isLed ? null : chat.ticketId },
      about: { priority: null, is_answered: isLed && !isOver && chat.answeredAt > taken },
    };
  }

  private replyTo(turn: Turn, settings: HoldingSettings, ahead: Ahead | null): Promise<Reply> {
    const { heard, text, about } = turn;
    if (turn.asksForPerson) return Promise.resolve(toPerson(heard.language ?? languageOf(text).value));
    const isSame = ahead !== null && !about.is_answered && isSameTurn(ahead.turn, turn) && settings.enabled;
    return isSame ? Promise.resolve(ahead.reply) : this.answering.replyTo(heard, text, settings, { about });
  }

  /** Says that nobody is there, in the words of the channel where it has some. */
  private async sayAway(threadId: number, language: string | null): Promise<void> {
    const text = await this.chats.awayText(threadId);
    if (text !== null) await this.chats.say(threadId, text === '' ? phraseOf('away', language) : text);
  }

  /** People have the chat: somebody made a ticket of it. */
  private async leave(led: Row<AiConversation> | null, ticketId: number): Promise<void> {
    if (led === null || led.status === 'handed_over') return;
    const handed_over_at = await this.database.moment();
    const values = { status: 'handed_over', handover_reason: 'rule', ticket_id: ticketId, handed_over_at } as const;
    await this.conversations.apply(led, { values, events: ['ai_conversation.handed_over'] });
  }

  private async suggest(chat: HeldChat, settings: HoldingSettings, ahead: Ahead | null): Promise<void> {
    const turn = await this.turnOf(chat, null);
    if (turn === null) return;
    const reply = await this.replyTo(turn, settings, ahead);
    if (reply.step.action === 'answer') await this.chats.note(chat.threadId, suggestion(reply));
  }

  private async begin({ threadId, contactId }: HeldChat, text: string): Promise<Row<AiConversation>> {
    const { id } = await this.conversations.insert({}, (values) => {
      Object.assign(values, { thread_id: threadId, contact_id: contactId, channel: 'chat', first_message: text });
      return {};
    });
    return this.conversations.lock(id);
  }

  /** The conversation that was led last; locked where it is to be changed. */
  private async last(threadId: number, isHeld = false): Promise<Row<AiConversation> | null> {
    const found = await this.known.findOne({
      select: { id: true },
      where: { thread_id: threadId },
      order: { id: 'DESC' },
    });
    if (!found) return null;
    return isHeld ? this.conversations.lockIfAny(found.id) : this.conversations.find(found.id);
  }
}

function toPerson(language: string | null): Reply {
  const step = { action: 'handover', reason: 'requested' } as const;
  const nothing = { sources: [], score: null, confidence: null, model: null, spent: NOTHING_SPENT, latencyMs: 0 };
  return { ...nothing, step, language, body: phraseOf('handover', language) };
}

/** Whether nothing was said or done since: what was written for the one is right for the other. */
function isSameTurn(one: Turn, other: Turn): boolean {
  const isSameConversation = one.led?.id === other.led?.id && one.led?.version === other.led?.version;
  return isSameConversation && one.position === other.position && one.text === other.text;
}

function textOf(news: readonly VisitorWord[]): string {
  const whole = news.map(({ body }) => body).join('\n\n');
  return whole.slice(-MAX_MESSAGE).toWellFormed();
}

function suggestion({ body, sources, confidence }: Reply): string {
  const from = [...new Set(sources.map(({ title }) => title))].join(', ');
  return `Suggested answer (${Math.round((confidence ?? 0) * 100)} %, from ${from}):\n\n${body}`;
}
