import type { Provided } from '../provider/chat-provider';
import { ABOUT_SOURCES } from '../provider/provided-answer';
import type { Hit } from '../retrieval/retrieval.dto';
import type { SuggestedReply } from './answers.dto';
import { passagesCited } from './cited';

/** What a provider wrote, with the passages that it cites; null where quotes that are found here take its place. */
export function writtenReply(ticketId: number, hits: readonly Hit[], provided: Provided): SuggestedReply | null {
  const about = { ticket_id: ticketId, provider: 'openai_compatible', model: provided.model } as const;
  if (!provided.ok) {
    const isAboutSources = ABOUT_SOURCES.includes(provided.failure);
    if (provided.mayFallBack && !isAboutSources) return null;
    const abstain_reason = isAboutSources ? 'no_sources' : 'provider_error';
    const nothing = { answer: null, generated: false, score: 0, sources: [] };
    return { ...about, ...nothing, abstain_reason, fallback_reason: provided.failure };
  }
  const { answer, citations } = provided.answer;
  const sources = passagesCited(hits, citations);
  const score = Math.max(0, ...sources.map((source) => source.score));
  return { ...about, answer, generated: true, score, sources, abstain_reason: null, fallback_reason: null };
}
