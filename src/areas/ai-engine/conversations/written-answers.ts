import { Injectable } from '@nestjs/common';
import { SharedReads } from '../../../platform/database/shared-reads';
import { passagesCited } from '../answers/cited';
import { ChatProvider, type Provided } from '../provider/chat-provider';
import { hearingOf } from '../provider/hearing';
import { ABOUT_SOURCES } from '../provider/provided-answer';
import { NOTHING_SPENT, type Spent } from '../provider/spent';
import type { Hit } from '../retrieval/retrieval.dto';
import type { HoldingSettings } from '../settings/ai-settings.service';
import { confidenceOf, type JudgedAnswers } from './confidence';
import { judgedAnswers } from './judged-answers';
import { type Said, stepBySources } from './next-step';
import type { Listener } from '../streaming/listener';
import type { Reply } from './reply';

/** What a model makes of a message; `body` null where the phrase of the step is said. */
type Written = Omit<Reply, 'body' | 'language' | 'spent' | 'latencyMs'> & { body: string | null };

/** The same with what asking took; `written` null where what is found here takes its place. */
export interface WrittenReply {
  written: Written | null;
  spent: Spent;
}

/** Answers that a model elsewhere writes: of passages that were found here, which it must cite. */
@Injectable()
export class WrittenAnswers {
  constructor(
    private readonly reads: SharedReads,
    private readonly provider: ChatProvider,
  ) {}

  /**
   * As sure as customers found answers of this model that it was as sure of.
   *
   * @param query what was asked
   */
  async reply(
    query: string,
    hits: readonly Hit[],
    settings: Pick<HoldingSettings, 'handover' | 'thresholds'> & { model: string },
    said: Said,
    listener: Listener | null,
  ): Promise<WrittenReply> {
    const { model, thresholds } = settings;
    const judged = await judgedAnswers(this.reads, model);
    const passages = hits.map(({ passage }) => passage);
    const isGiven = (confidence: number): boolean => confidenceOf(confidence, judged) >= thresholds.auto_reply;
    const provided = await this.provider.ask(query, passages, listener && hearingOf(listener, isGiven));
    if (!provided) return { written: null, spent: NOTHING_SPENT };
    return { written: writtenOf(provided, hits, settings, said, judged), spent: provided.spent };
  }
}

/** What is said of what a model wrote. */
function writtenOf(
  provided: Provided,
  hits: readonly Hit[],
  { handover, thresholds }: Pick<HoldingSettings, 'handover' | 'thresholds'>,
  said: Said,
  judged: readonly JudgedAnswers[],
): Written | null {
  const { model } = provided;
  const nothing = { sources: [], score: null, confidence: null, model, body: null };
  if (!provided.ok) {
    const { failure } = provided;
    if (failure === 'declined') return { ...nothing, step: stepBySources(null, thresholds.auto_reply, said, handover) };
    if (ABOUT_SOURCES.includes(failure)) return { ...nothing, step: { action: 'handover', reason: 'no_sources' } };
    return provided.mayFallBack ? null : { ...nothing, step: { action: 'handover', reason: 'provider_error' } };
  }
  const { answer, citations, confidence: score } = provided.answer;
  const confidence = confidenceOf(score, judged);
  const step = stepBySources(confidence, thresholds.auto_reply, said, handover);
  const body = step.action === 'answer' ? answer : null;
  return { step, body, sources: passagesCited(hits, citations), score, confidence, model };
}
