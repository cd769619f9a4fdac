import { fold } from '../../../platform/search/words';
import type { Level } from '../language/sentiment';
import type { HandoverReason } from './conversation-values';

/** When a person takes over. */
export interface HandoverRules {
  on_request: boolean;
  on_negative_sentiment: boolean;
  on_low_confidence: boolean;
  keywords: readonly string[];
  max_turns: number;
  priorities: readonly string[];
}

/** What is known when somebody has said something. */
export interface Said {
  text: string;
  sentiment: Level | null;
  /** What they have said since the conversation was last resolved, this included. */
  turns: number;
  /** The last thing that the engine said was a question back. */
  wasAskedBack: boolean;
  /** They say no more than that the answer was right. */
  isConfirmation: boolean;
  /** No word of it tells what it is about. */
  isSmallTalk: boolean;
  /** A person has answered already. */
  isWithPerson: boolean;
  /** Channel, language and hour are those that the engine answers in. */
  isServed: boolean;
  /** Of the ticket that it is about. */
  priority: string | null;
}

export type Step = { action: 'answer' | 'clarify' | 'resolve' } | { action: 'handover'; reason: HandoverReason };

/**
 * What comes next by rules alone: the first that applies; null = it depends on what the sources say ({@link stepBySources}). To hand
 * over is a decision here and a member of the message, never something that stands in its text.
 */
export function stepByRules(said: Said, rules: HandoverRules): Step | null {
  if (said.isWithPerson || !said.isServed) return handover('rule');
  if (rules.on_request && asksForPerson(said.text, rules.keywords)) return handover('requested');
  if (said.priority !== null && rules.priorities.includes(said.priority)) return handover('urgent');
  if (said.isConfirmation) return { action: 'resolve' };
  if (rules.on_negative_sentiment && said.sentiment === 'very_negative') return handover('negative_sentiment');
  if (said.turns > rules.max_turns) return handover('max_turns');
  return said.isSmallTalk ? { action: 'clarify' } : null;
}

/**
 * What comes next by what the sources say.
 *
 * @param confidence that the best source answers the question, from 0 to 1; null without a source
 * @param least confidence that an answer needs
 */
export function stepBySources(
  confidence: number | null,
  least: number,
  { wasAskedBack }: Pick<Said, 'wasAskedBack'>,
  { on_low_confidence }: Pick<HandoverRules, 'on_low_confidence'>,
): Step {
  if (confidence === null) return wasAskedBack ? handover('no_sources') : { action: 'clarify' };
  if (confidence >= least) return { action: 'answer' };
  return wasAskedBack && on_low_confidence ? handover('low_confidence') : { action: 'clarify' };
}

/** Whether a text has one of the words, as words. */
function asksForPerson(text: string, keywords: readonly string[]): boolean {
  const words = ` ${wordsOnly(text)} `;
  return keywords.some((keyword) => {
    const asked = wordsOnly(keyword);
    return asked !== '' && words.includes(` ${asked} `);
  });
}

function wordsOnly(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const handover = (reason: HandoverReason): Step => ({ action: 'handover', reason });
