import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { AskedTickets } from '../predictions/asked-tickets';
import { sentencesOf } from '../retrieval/passages';
import { RetrievalService } from '../retrieval/retrieval.service';
import { ChatProvider } from '../provider/chat-provider';
import { hearingOf } from '../provider/hearing';
import type { Listener } from '../streaming/listener';
import { writtenReply } from './written-reply';
import { AiSettingsService } from '../settings/ai-settings.service';
import { refuseSwitchedOff } from '../settings/switched-off';
import type { SuggestedReply, TicketSummary } from './answers.dto';
import { citedSources, quotedAnswer } from './cited';
import { centralities } from './text-rank';
import { firstCharacters } from '../../../platform/text/normalise';

/** Characters of a question, and of each text of a ticket. */
const MOST_ASKED = 2_000;
const MOST_OF_TEXT = 4_000;
const MOST_COMMENTS = 60;
/** Sentences that are compared with each other, and those of a summary. */
const MOST_COMPARED = 120;
const SUMMARY = 3;
const SOURCES = 3;

interface Said {
  id: number;
  body: string;
  author_type: string;
  is_internal: boolean;
}

interface Told {
  subject: string;
  description: string;
  created_at: string;
  first_response_at: string | null;
  escalated_at: string | null;
  resolved_at: string | null;
  closed_at: string | null;
}

/** Answers and summaries that are taken of what is written, word for word. */
@Injectable()
export class AnswersService {
  constructor(
    private readonly database: Database,
    private readonly tickets: AskedTickets,
    private readonly retrieval: RetrievalService,
    private readonly settings: AiSettingsService,
    private readonly provider: ChatProvider,
  ) {}

  /** What could be answered to a ticket: quotes of articles that its requester may read, of replies to tickets like it, and of canned responses. */
  async suggest(ticketId: number, listener: Listener | null = null): Promise<SuggestedReply> {
    const { enabled, thresholds, sources: from } = await this.settings.holding();
    refuseSwitchedOff({ enabled }, 'ticket_id');
    await this.tickets.require(ticketId);
    const { ticket, comments } = await this.read(ticketId);
    const last = comments.findLast(({ author_type, is_internal }) => author_type === 'requester' && !is_internal);
    const query = firstCharacters(`${ticket.subject}\n${last?.body ?? ticket.description}`, MOST_ASKED);
    const audience = from.internal_articles ? 'internal' : 'customers';
    const asked = { query, limit: SOURCES, audience, min_score: thresholds.suggest } as const;
    const { hits, question } = await this.retrieval.search(asked, {
      except: ticketId,
      withTickets: from.resolved_tickets,
      withArticles: from.kb_articles,
      snippets: from.canned_responses ? 'agents' : null,
      maxAgeDays: from.max_age_days,
    });
    const passages = hits.map(({ passage }) => passage);
    const provided = hits.length > 0 ? await this.provider.ask(query, passages, listener && hearingOf(listener)) : null;
    if (provided) {
      const written = writtenReply(ticketId, hits, provided);
      if (written) return written;
    }
    const sources = citedSources(hits, question);
    return {
      ...{ ticket_id: ticketId, answer: quotedAnswer(sources), generated: false, provider: 'local', model: null },
      score: sources[0]?.score ?? 0,
      sources,
      abstain_reason: sources.length > 0 ? null : 'no_sources',
      fallback_reason: provided?.ok === false ? provided.failure : null,
    };
  }

  /** The sentences of a ticket and its comments that the others are most like, and what happened when. */
  async summarize(ticketId: number): Promise<TicketSummary> {
    refuseSwitchedOff(await this.settings.holding(), 'ticket_id');
    await this.tickets.require(ticketId);
    const { ticket, comments } = await this.read(ticketId);
    const texts = [
      { comment_id: null, text: ticket.description },
      ...comments.map(({ id, body }) => ({ comment_id: id, text: body })),
    ];
    const compared: TicketSummary['sentences'] = [];
    for (const { comment_id, text } of texts) {
      const left = MOST_COMPARED - compared.length;
      if (left > 0)
        compared.push(
          ...sentencesOf(text)
            .slice(0, left)
            .map((each) => ({ ...each, comment_id })),
        );
    }
    const ranks = centralities(compared.map(({ text }) => text));
    const best = [...compared.keys()].sort((one, other) => (ranks[other] ?? 0) - (ranks[one] ?? 0)).slice(0, SUMMARY);
    return {
      ticket_id: ticketId,
      method: 'textrank',
      generated: false,
      sentences: best.sort((one, other) => one - other).flatMap((at) => compared[at] ?? []),
      timeline: timelineOf(ticket),
    };
  }

  private async read(id: number): Promise<{ ticket: Told; comments: Said[] }> {
    const key = [currentWorkspaceId(), id];
    const [ticket] = await this.database.read(
      sql<Told>(
        `SELECT t.subject, left(t.description, ${MOST_OF_TEXT}) AS description, t.created_at, t.first_response_at, t.escalated_at, t.resolved_at, t.closed_at
         FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2`,
        key,
      ),
    );
    const comments = await this.database.read(
      sql<Said>(
        `SELECT c.id, left(c.body, ${MOST_OF_TEXT}) AS body, c.author_type, c.is_internal FROM ticket_comments c
         WHERE c.workspace_id = $1 AND c.ticket_id = $2 AND c.author_type IN ('agent', 'requester') ORDER BY c.created_at DESC, c.id DESC LIMIT ${MOST_COMMENTS}`,
        key,
      ),
    );
    return { ticket: ticket ?? this.tickets.missing(), comments: comments.toReversed() };
  }
}

function timelineOf(ticket: Told): TicketSummary['timeline'] {
  const moments = [
    { what: 'created', at: ticket.created_at },
    { what: 'first_response', at: ticket.first_response_at },
    { what: 'escalated', at: ticket.escalated_at },
    { what: 'resolved', at: ticket.resolved_at },
    { what: 'closed', at: ticket.closed_at },
  ];
  return moments
    .flatMap(({ what, at }) => (at === null ? [] : [{ what, at }]))
    .sort((one, other) => (one.at < other.at ? -1 : 1));
}
