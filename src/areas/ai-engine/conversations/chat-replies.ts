import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ChatDesk, type HeldChat, type VisitorWord } from '../../channels/webchat/chat-desk';
import { AiSettingsService, type HoldingSettings } from '../settings/ai-settings.service';
import { Answering, heardIn } from './answering';
import { AiConversation } from './conversation.entity';
import { MAX_MESSAGE } from './conversation-values';
import { ConversationsService } from './conversations.service';
import { asEngine } from './engine-actor';
import { phraseOf } from './phrases';
import type { Reply } from './reply';

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

  /** What is to be said in a chat now. */
  next(threadId: number): Promise<void> {
    return asEngine(async () => {
      const chat = await this.chats.hold(threadId);
      if (chat === null || chat.ai === 'off') return;
      const stored = await this.settings.holding();
      // Nobody waits for an engine that is switched off: people take over.
      const settings = { ...stored, enabled: stored.enabled && stored.mode !== 'off' };
      if (chat.ai === 'auto') await this.lead(chat, settings);
      else if (settings.enabled) await this.suggest(chat, settings);
    });
  }

  private async lead(chat: HeldChat, settings: HoldingSettings): Promise<void> {
    const last = await this.last(chat.threadId);
    if (chat.ticketId !== null) return this.leave(last, chat.ticketId);
    // Behind a hand-over whose ticket is closed begins another conversation.
    const isOver = last?.status === 'handed_over';
    const led = isOver ? null : last;
    const taken = last?.last_position ?? 0;
    const after = led ? taken : Math.max(taken, chat.answeredAt);
    const news = await this.chats.news(chat.threadId, after);
    const heard = news.at(-1);
    if (heard === undefined) return;
    const text = textOf(news);
    const before = led ?? (await this.begin(chat, text));
    const about = { priority: null, is_answered: !isOver && chat.answeredAt > taken };
    const said = await this.answering.replyTo(heardIn(before), text, settings, { about });
    const change = await this.talks.turn(before, text, said, settings);
    await this.talks.write(before, { ...change, values: { ...change.values, last_position: heard.position } });
    const { reply = null, status, language = null } = change.values;
    // Whoever answered already need not be announced.
    if (about.is_answered || reply === null) return;
    await this.chats.say(chat.threadId, reply);
    if (status === 'handed_over') await this.sayAway(chat.threadId, language);
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

  private async suggest({ threadId, ticketId, answeredAt }: HeldChat, settings: HoldingSettings): Promise<void> {
    const news = await this.chats.news(threadId, answeredAt);
    if (news.length === 0) return;
    const heard = {
      id: 0,
      ticket_id: ticketId,
      channel: 'chat',
      language: null,
      action: null,
      episode_turns: 0,
    } as const;
    const about = { priority: null, is_answered: false };
    const reply = await this.answering.replyTo(heard, textOf(news), settings, { about });
    if (reply.step.action === 'answer') await this.chats.note(threadId, suggestion(reply));
  }

  private async begin({ threadId, contactId }: HeldChat, text: string): Promise<Row<AiConversation>> {
    const { id } = await this.conversations.insert({}, (values) => {
      Object.assign(values, { thread_id: threadId, contact_id: contactId, channel: 'chat', first_message: text });
      return {};
    });
    return this.conversations.lock(id);
  }

  private async last(threadId: number): Promise<Row<AiConversation> | null> {
    const found = await this.known.findOne({
      select: { id: true },
      where: { thread_id: threadId },
      order: { id: 'DESC' },
    });
    return found ? this.conversations.lockIfAny(found.id) : null;
  }
}

function textOf(news: readonly VisitorWord[]): string {
  const whole = news.map(({ body }) => body).join('\n\n');
  return whole.slice(-MAX_MESSAGE).toWellFormed();
}

function suggestion({ body, sources, confidence }: Reply): string {
  const from = [...new Set(sources.map(({ title }) => title))].join(', ');
  return `Suggested answer (${Math.round((confidence ?? 0) * 100)} %, from ${from}):\n\n${body}`;
}
