import { isOneOf, isRecord } from '../../../platform/text/json';

export const PROVIDER_ACTIONS = ['answer', 'clarify', 'handover'] as const;

/** The schema that a model is to answer by (JSON Schema, strict). What it cites comes first: an answer is told while it is written only once that is known. */
export const ANSWER_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['action', 'citations', 'confidence', 'answer'],
  properties: {
    action: { type: 'string', enum: [...PROVIDER_ACTIONS] },
    citations: { type: 'array', items: { type: 'integer' } },
    confidence: { type: 'number' },
    answer: { type: 'string' },
  },
};

/** Why nothing came of a question to a provider. */
export const FAILURES = [
  'over_budget',
  'unreachable',
  'timeout',
  'http_error',
  'rate_limited',
  'malformed',
  'no_citation',
  'unknown_citation',
  'declined',
] as const;
export type Failure = (typeof FAILURES)[number];

/** What a provider says about the passages themselves: nothing that is found here would say more. */
export const ABOUT_SOURCES: readonly Failure[] = ['declined', 'no_citation', 'unknown_citation'];

/** An answer that holds to the rules: it cites passages that it was given. */
export interface ProvidedAnswer {
  answer: string;
  /** Numbers of passages, from 1, each once. */
  citations: number[];
  confidence: number;
}

const MAX_ANSWER = 8_000;

/** What a model said, in the envelope of chat completions; tokens as it counts them. */
export function completionOf(body: string): { content: string | null; tokensIn: number; tokensOut: number } {
  const parsed = parsedOrNull(body);
  const usage = isRecord(parsed) && isRecord(parsed.usage) ? parsed.usage : {};
  const choices: unknown[] = isRecord(parsed) && Array.isArray(parsed.choices) ? parsed.choices : [];
  const [choice] = choices;
  const message = isRecord(choice) && isRecord(choice.message) ? choice.message : {};
  return {
    content: typeof message.content === 'string' ? message.content : null,
    tokensIn: counted(usage.prompt_tokens),
    tokensOut: counted(usage.completion_tokens),
  };
}

/**
 * What a model said, checked: an answer that cites nothing, or what it was not given, is none, whatever it says.
 *
 * @param passages how many it was given
 */
export function checkedAnswer(content: string | null, passages: number): ProvidedAnswer | Failure {
  const said = content === null ? null : parsedOrNull(content);
  if (!isRecord(said) || !isOneOf(PROVIDER_ACTIONS, said.action)) return 'malformed';
  if (said.action !== 'answer') return 'declined';
  const { answer, citations, confidence } = said;
  if (typeof answer !== 'string' || answer.trim() === '' || answer.length > MAX_ANSWER || !answer.isWellFormed())
    return 'malformed';
  if (answer.includes('\0') || !Array.isArray(citations)) return 'malformed';
  if (citations.length === 0) return 'no_citation';
  const cited: unknown[] = citations;
  const known = cited.filter((each): each is number => typeof each === 'number' && isPlace(each, passages));
  if (known.length !== citations.length) return 'unknown_citation';
  const sure = typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : 0;
  return { answer, citations: [...new Set(known)], confidence: sure };
}

function isPlace(number: number, passages: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= passages;
}

export function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A number of tokens; 0 of what is none. */
export function counted(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e9 ? value : 0;
}
