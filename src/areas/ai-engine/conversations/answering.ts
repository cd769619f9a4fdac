// Own reads: tallies and joins, asked with every message; a repository compiles its SQL each time.
import { Injectable } from '@nestjs/common';
import { clockMs } from '../../../platform/context/clock';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { workingTime } from '../../../platform/calendar/working-time';
import { sql } from '../../../platform/postgres/statement-batch';
import type { Row } from '../../../platform/resource/rows';
import { heldSchedule } from '../../schedules/schedule-lookup';
import { citedSources, quotedAnswer } from '../answers/cited';
import type { CitedSource } from '../answers/answers.dto';
import { languageOf } from '../language/languages';
import { sentimentOf } from '../language/sentiment';
import { RetrievalService } from '../retrieval/retrieval.service';
import type { HoldingSettings } from '../settings/ai-settings.service';
import { confidenceOf, type JudgedAnswers } from './confidence';
import { isConfirmation, isSmallTalk } from './confirmation';
import type { AiConversation } from './conversation.entity';
import { personAnswered } from './conversation-outcome';
import { type Said, type Step, stepByRules, stepBySources } from './next-step';
import { phraseOf } from './phrases';

/** Characters of a question that are looked up. */
const MOST_ASKED = 2_000;
const SOURCES = 3;
/** Answers that were judged, the newest, that tell how sure to be. */
const MOST_JUDGED = 2_000;

/** What the engine says to a message, and why. */
export interface Reply {
  step: Step;
  body: string;
  language: string | null;
  sources: CitedSource[];
  score: number | null;
  confidence: number | null;
}

/** What is known of the ticket that it is about. */
export interface About {
  priority: string | null;
  /** A person has answered. */
  is_answered: boolean;
}

/** A conversation in which somebody has just said something. */
export type Heard = Pick<Row<AiConversation>, 'id' | 'ticket_id' | 'channel' | 'language' | 'action' | 'episode_turns'>;

const JUDGED = `
  SELECT least(9, floor(j.score * 10))::integer AS tenth, count(*)::integer AS n, (count(*) FILTER (WHERE j.helpful))::integer AS helpful
  FROM (SELECT m.score, m.helpful FROM ai_messages m WHERE m.workspace_id = $1 AND m.helpful IS NOT NULL AND m.score IS NOT NULL
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_JUDGED}) j GROUP BY 1`;

const ABOUT = `SELECT t.priority, ${personAnswered('c')} AS is_answered FROM ai_conversations c
  JOIN tickets t ON t.workspace_id = c.workspace_id AND t.id = c.ticket_id WHERE c.workspace_id = $1 AND c.id = $2`;

const BEFORE = `SELECT m.body FROM ai_messages m WHERE m.workspace_id = $1 AND m.conversation_id = $2 AND m.role = 'user'
  ORDER BY m.created_at DESC, m.id DESC LIMIT 1`;

/** Decides what the engine says: quotes of articles that customers may read, a question back, or that a person takes over. */
@Injectable()
export class Answering {
  constructor(
    private readonly database: Database,
    private readonly retrieval: RetrievalService,
  ) {}

  /** What to say to a message in a conversation that no person has. Inside the unit of work that holds it. @param about found out unless given */
  async replyTo(heard: Heard, text: string, settings: HoldingSettings, about?: About): Promise<Reply> {
    const language = heard.language ?? languageOf(text).value;
    const { handover, thresholds } = settings;
    const said = await this.said(heard, text, language, settings, about);
    const ruled = stepByRules(said, handover);
    const told = { language, sources: [], score: null, confidence: null };
    if (ruled) {
      const phrase = ruled.action === 'clarify' || ruled.action === 'answer' ? 'greeting' : ruled.action;
      return { ...told, step: ruled, body: phraseOf(phrase, language) };
    }
    const sources = await this.sources(await this.question(heard, text, said.wasAskedBack), thresholds.suggest);
    const score = sources[0]?.score ?? null;
    const confidence = score === null ? null : confidenceOf(score, await this.judged());
    const step = stepBySources(confidence, thresholds.auto_reply, said, handover);
    const body = step.action === 'answer' ? (quotedAnswer(sources) ?? '') : phraseOf(step.action, language);
    return { ...told, step, body, sources, score, confidence };
  }

  private async said(
    heard: Heard,
    text: string,
    language: string | null,
    settings: HoldingSettings,
    about?: About,
  ): Promise<Said> {
    const { priority, is_answered } = about ?? (await this.about(heard));
    const wasAnswered = heard.action === 'answer';
    return {
      text,
      sentiment: language === null ? null : (sentimentOf(text, language.split('-')[0] ?? '')?.value ?? null),
      turns: heard.episode_turns + 1,
      wasAskedBack: heard.action === 'clarify' && heard.episode_turns > 0,
      isConfirmation: wasAnswered && isConfirmation(text),
      isSmallTalk: isSmallTalk(text),
      isWithPerson: is_answered,
      isServed: await this.isServed(heard, language, settings),
      priority,
    };
  }

  private async isServed({ channel }: Heard, language: string | null, settings: HoldingSettings): Promise<boolean> {
    const { enabled, channels, languages, handover } = settings;
    if (!enabled || !channels.includes(channel)) return false;
    const spoken = language?.split('-')[0]?.toLowerCase();
    const isKnown = languages.length === 0 || spoken === undefined || languages.some((each) => each === spoken);
    if (!isKnown || handover.outside_business_hours === 'answer') return isKnown;
    const schedule = await heldSchedule(this.database, null);
    return schedule === null || workingTime(schedule.hours).isOpen(clockMs());
  }

  private async about({ id, ticket_id }: Heard): Promise<About> {
    const nothing = { priority: null, is_answered: false };
    if (ticket_id === null) return nothing;
    const statement = sql<About>(ABOUT, [currentWorkspaceId(), id]);
    return (await this.database.read(statement))[0] ?? nothing;
  }

  /** What is asked: an answer to a question back goes with what it was about. */
  private async question({ id }: Heard, text: string, wasAskedBack: boolean): Promise<string> {
    const asked = text.slice(0, MOST_ASKED);
    if (!wasAskedBack) return asked;
    const [before] = await this.database.read(sql<{ body: string }>(BEFORE, [currentWorkspaceId(), id]));
    return before ? `${asked}\n${before.body.slice(0, MOST_ASKED)}` : asked;
  }

  private async sources(query: string, least: number): Promise<CitedSource[]> {
    const asked = { query, limit: SOURCES, audience: 'customers', min_score: least } as const;
    const { hits, question } = await this.retrieval.search(asked, { except: null, withTickets: false });
    return citedSources(hits, question);
  }

  private judged(): Promise<JudgedAnswers[]> {
    return this.database.read(sql<JudgedAnswers>(JUDGED, [currentWorkspaceId()]));
  }
}
