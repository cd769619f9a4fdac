import type { Values } from '../../../platform/resource/rows';
import type { CitedSource } from '../answers/answers.dto';
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
}

/** What of a conversation says what was said last. */
export function repliedValues({ language, body, sources, confidence, step, model }: Reply): Values<AiConversation> {
  const provider = model === null ? 'local' : 'openai_compatible';
  return { language, reply: body, sources, confidence, action: step.action, provider };
}

/** The same as a message. */
export function saidBy({ body, sources, score, confidence, step, model }: Reply): NewMessage {
  return { role: 'ai', body, action: step.action, sources, score, confidence, model };
}
