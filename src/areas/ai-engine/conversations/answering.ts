// Own reads: tallies and joins, asked with every message; a repository compiles its SQL each time.
import { Injectable } from '@nestjs/common';
import { clockMs } from '../../../platform/context/clock';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { SharedReads } from '../../../platform/database/shared-reads';
import { workingTime } from '../../../platform/calendar/working-time';
import { sql } from '../../../platform/postgres/statement-batch';
import type { Row } from '../../../platform/resource/rows';
import { heldSchedule } from '../../schedules/schedule-lookup';
import { citedSources, quotedAnswer } from '../answers/cited';
import { languageOf } from '../language/languages';
import { sentimentOf } from '../language/sentiment';
import { type Found as SourcesFound, RetrievalService } from '../retrieval/retrieval.service';
import { NOTHING_SPENT } from '../provider/spent';
import type { HoldingSettings } from '../settings/ai-settings.service';
import { confidenceOf } from './confidence';
import { judgedAnswers } from './judged-answers';
import type { Listener } from '../streaming/listener';
import type { Reply } from './reply';
import { WrittenAnswers } from './written-answers';
import { isConfirmation, isSmallTalk } from './confirmation';
import type { AiConversation } from './conversation.entity';
import { personAnswered } from './conversation-outcome';
import { type Said, type Step, stepByRules, stepBySources } from './next-step';
import { followedUp, isShort } from './follow-up';
import { phraseOf } from './phrases';
import { firstCharacters } from '../../../platform/text/normalise';

/** Characters of a question that are looked up. */
const MOST_ASKED = 2_000;
const SOURCES = 3;

type Found = Omit<Reply, 'latencyMs'>;

/** What was found, and what was asked for it. */
interface LookedUp extends SourcesFound {
  query: string;
}

/** How a message is answered. */
export interface Manner {
  /** Found out unless given. */
  about?: About;
  /** A model elsewhere may be asked: nothing is held meanwhile. */
  mayAsk?: boolean;
  /** Hears what a model elsewhere writes. */
  listener?: Listener | null;
  /** What the customer said last before the conversation began. */
  earlier?: string | null;
}

/** What is known of the ticket that it is about. */
export interface About {
  priority: string | null;
  /** A person has answered. */
  is_answered: boolean;
  category_id?: number | null;
}

/** A conversation in which somebody has just said something. */
export type Heard = Pick<Row<AiConversation>, 'id' | 'ticket_id' | 'channel' | 'language' | 'action' | 'episode_turns'>;

/** What was said before a resolution is another matter: it neither counts nor is asked back about. */
export function heardIn(before: Row<AiConversation>): Row<AiConversation> {
  return before.status === 'awaiting_user_reply' ? before : { ...before, action: null, episode_turns: 0 };
}

const NOTHING: About = { priority: null, is_answered: false };

const ABOUT = `SELECT t.priority, t.category_id, ${personAnswered('c')} AS is_answered FROM ai_conversations c
  JOIN tickets t ON t.workspace_id = c.workspace_id AND t.id = c.ticket_id WHERE c.workspace_id = $1 AND c.id = $2`;

const BEFORE = `SELECT m.body FROM ai_messages m WHERE m.workspace_id = $1 AND m.conversation_id = $2 AND m.role = 'user'
  ORDER BY m.created_at DESC, m.id DESC LIMIT 1`;

/** Decides what the engine says: quotes of articles and canned responses that customers may read, a question back, or that a person takes over. */
@Injectable()
export class Answering {
  constructor(
    private readonly database: Database,
    private readonly shared: SharedReads,
    private readonly retrieval: RetrievalService,
    private readonly written: WrittenAnswers,
  ) {}

  /** What to say to a message in a conversation that no person has. Inside the unit of work that holds it, unless a model elsewhere may be asked. */
  async replyTo(heard: Heard, text: string, settings: HoldingSettings, manner: Manner = {}): Promise<Reply> {
    const began = performance.now();
    const reply = await this.found(heard, text, settings, manner);
    return { ...reply, latencyMs: Math.round(performance.now() - began) };
  }

  private async found(heard: Heard, text: string, settings: HoldingSettings, manner: Manner): Promise<Found> {
    const language = heard.language ?? languageOf(text).value;
    const { handover, thresholds } = settings;
    const said = await this.said(heard, text, language, settings, manner.about);
    const ruled = stepByRules(said, handover);
    const told = { language, sources: [], score: null, confidence: null, model: null, spent: NOTHING_SPENT };
    if (ruled) {
      const phrase = ruled.action === 'clarify' || ruled.action === 'answer' ? 'greeting' : ruled.action;
      return { ...told, step: ruled, body: phraseOf(phrase, language) };
    }
    const { query, hits, question } = await this.lookUp(heard, said, settings, manner.earlier ?? null);
    const listener = manner.listener ?? null;
    let spent = NOTHING_SPENT;
    if (manner.mayAsk && settings.model !== null && hits.length > 0) {
      const provided = await this.written.reply(query, hits, { ...settings, model: settings.model }, said, listener);
      const { written } = provided;
      ({ spent } = provided);
      if (written) return { ...written, body: written.body ?? phraseFor(written.step, language), language, spent };
    }
    const sources = citedSources(hits, question);
    const score = sources[0]?.score ?? null;
    const confidence = score === null ? null : confidenceOf(score, await judgedAnswers(this.shared, null));
    const step = stepBySources(confidence, thresholds.auto_reply, said, handover);
    const body = step.action === 'answer' ? (quotedAnswer(sources) ?? '') : phraseFor(step, language);
    return { ...told, step, body, sources, score, confidence, spent };
  }

  /** Whether rules alone say what to do with a message, whatever the sources say. */
  async isRuled(heard: Heard, text: string, settings: HoldingSettings, about?: About): Promise<boolean> {
    const language = heard.language ?? languageOf(text).value;
    return stepByRules(await this.said(heard, text, language, settings, about), settings.handover) !== null;
  }

  /** What is known of a ticket that a conversation is about to begin about: what people said before is another matter. */
  async aboutTicket(id: number | null): Promise<About> {
    if (id === null) return NOTHING;
    const text =
      'SELECT t.priority, t.category_id, false AS is_answered FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2';
    return (await this.database.read(sql<About>(text, [currentWorkspaceId(), id])))[0] ?? NOTHING;
  }

  /** Whether a person has answered the ticket that it is about. */
  async isWithPerson(heard: Heard): Promise<boolean> {
    return heard.ticket_id !== null && (await this.about(heard)).is_answered;
  }

  private async said(
    heard: Heard,
    text: string,
    language: string | null,
    settings: HoldingSettings,
    about?: About,
  ): Promise<Said> {
    const { priority, is_answered, category_id = null } = about ?? (await this.about(heard));
    const wasAnswered = heard.action === 'answer';
    return {
      text,
      sentiment: language === null ? null : (sentimentOf(text, language.split('-')[0] ?? '')?.value ?? null),
      turns: heard.episode_turns + 1,
      wasAskedBack: heard.action === 'clarify' && heard.episode_turns > 0,
      isConfirmation: wasAnswered && isConfirmation(text),
      isSmallTalk: isSmallTalk(text),
      isWithPerson: is_answered,
      isServed: isOfThese(heard, category_id, settings) && (await this.isServed(heard, language, settings)),
      priority,
    };
  }

  private async isServed({ channel }: Heard, language: string | null, settings: HoldingSettings): Promise<boolean> {
    const { enabled, channels, languages, handover } = settings;
    if (!enabled || !channels.includes(channel)) return false;
    const spoken = language?.split('-')[0]?.toLowerCase();
    const isKnown = languages.length === 0 || spoken === undefined || languages.some((each) => each === spoken);
    if (!isKnown || handover.outside_business_hours === 'answer') return isKnown;
    const schedule = await this.database.transaction(() => heldSchedule(this.database, null));
    return schedule === null || workingTime(schedule.hours).isOpen(clockMs());
  }

  private async about({ id, ticket_id }: Heard): Promise<About> {
    if (ticket_id === null) return NOTHING;
    const statement = sql<About>(ABOUT, [currentWorkspaceId(), id]);
    return (await this.database.read(statement))[0] ?? NOTHING;
  }

  /**
   * What answers a message: an answer to a question back goes with what it was about, and so does a message of few words behind an answer, or
   * behind what was said elsewhere, where that leads to more than the message alone.
   */
  private async lookUp(heard: Heard, said: Said, settings: HoldingSettings, earlier: string | null): Promise<LookedUp> {
    const text = firstCharacters(said.text, MOST_ASKED);
    const mayFollow = isShort(text);
    const isBehind = said.wasAskedBack || (mayFollow && heard.action === 'answer');
    const before = isBehind ? await this.before(heard) : mayFollow ? earlier : null;
    if (before !== null) {
      const query = `${text}\n${firstCharacters(before, MOST_ASKED)}`;
      const found = await this.search(query, settings);
      const together = said.wasAskedBack ? found : followedUp(found, text, settings.thresholds.auto_reply);
      if (together) return { ...together, query };
    }
    return { ...(await this.search(text, settings)), query: text };
  }

  private search(query: string, { sources, thresholds, hasSnippets }: HoldingSettings): Promise<SourcesFound> {
    const { kb_articles: isOpen, max_age_days: maxAgeDays } = sources;
    const snippets = hasSnippets ? 'customers' : null;
    return this.retrieval.search(
      { query, limit: SOURCES, audience: 'customers', min_score: thresholds.suggest },
      { except: null, withTickets: false, withArticles: isOpen, snippets, maxAgeDays },
    );
  }

  private async before({ id }: Heard): Promise<string | null> {
    const [before] = await this.database.read(sql<{ body: string }>(BEFORE, [currentWorkspaceId(), id]));
    return before?.body ?? null;
  }
}

/** Whether it answers in tickets of this category; a conversation about none has none. */
function isOfThese({ ticket_id }: Heard, categoryId: number | null, { categories }: HoldingSettings): boolean {
  return ticket_id === null || categories.length === 0 || categories.some((each) => each === categoryId);
}

/** What is said where no source is quoted. */
function phraseFor({ action }: Step, language: string | null): string {
  return action === 'answer' ? '' : phraseOf(action, language);
}
