import type { Row, Values } from '../../../platform/resource/rows';
import type { CitedSource } from '../answers/answers.dto';
import { type Spent, spentTogether } from '../provider/spent';
import type { AiConversation } from './conversation.entity';
import type { NewMessage } from './message-rows';
import type { Step } from './next-step';

/** What the engine says to a message, and why. */
export interface Reply {
  step: Step;
  body: string;
  language: string | null;
  sources: CitedSource[];
  score: number | null;
  confidence: number | null;
  /** The model elsewhere that wrote it; null of what is found here. */
  model: string | null;
  /** What asking that, or another one in vain, took. */
  spent: Spent;
  /** Until it was known what to say. */
  latencyMs: number;
}

/** What of a conversation says what models elsewhere took so far; of a new one nothing. */
export type SpentSoFar = Pick<Row<AiConversation>, 'tokens_in' | 'tokens_out' | 'cost'> | null;

/** What of a conversation says what was said last. */
export function repliedValues(reply: Reply, before: SpentSoFar): Values<AiConversation> {
  const { language, body, sources, confidence, step, model, latencyMs } = reply;
  const provider = model === null ? 'local' : 'openai_compatible';
  return {
    ...{ language, reply: body, sources, confidence, action: step.action, provider },
    ...{ model, latency_ms: latencyMs },
    ...spentValues(reply, before),
  };
}

/** What models elsewhere took of it altogether. */
export function spentValues({ spent }: Reply, before: SpentSoFar): Values<AiConversation> {
  if (spent.tokensIn + spent.tokensOut === 0) return {};
  const { tokens_in: tokensIn = 0, tokens_out: tokensOut = 0, cost = null } = before ?? {};
  const all = spentTogether({ tokensIn, tokensOut, cost }, spent);
  return { tokens_in: all.tokensIn, tokens_out: all.tokensOut, cost: all.cost };
}

/** The same as a message. */
export function saidBy({ body, sources, score, confidence, step, model }: Reply): NewMessage {
  return { role: 'ai', body, action: step.action, sources, score, confidence, model };
}
