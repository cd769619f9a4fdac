import {
  AnyMember,
  CountsMember,
  FlagMember,
  IntegerMember,
  ListMember,
  MomentMember,
  NumberMember,
  ObjectMember,
  TextMember,
} from '../../../platform/http/answer-members';
import { HANDOVER_REASONS } from '../conversations/conversation-values';
import { AiConfidence, AiRate } from './metrics-members';
import { type ConversationMetrics, type Csat, RATES, type RateName, type Rates } from './conversation-metrics';
import type { Rate } from './task-metrics';

const INVOLVED = 'Of those in which the engine answered or handed over.';

/** Rates of the conversations that began in a window. */
export class AiConversationRates implements Rates {
  @ObjectMember(() => AiRate, {
    description:
      'It answered or handed over, of new conversations and of tickets without one on the channels that it answers on.',
  })
  involvement_rate: Rate;

  @ObjectMember(() => AiRate, { description: `At least one answer with sources. ${INVOLVED}` })
  answer_rate: Rate;

  @ObjectMember(() => AiRate, {
    description: `Ended without a person, whether it helped or not: no resolution. ${INVOLVED}`,
  })
  containment_rate: Rate;

  @ObjectMember(() => AiRate, { description: `Contained and verified resolutions. ${INVOLVED}` })
  automation_rate: Rate;

  @ObjectMember(() => AiRate, { description: 'Another name of `automation_rate`.' })
  resolution_rate: Rate;

  @ObjectMember(() => AiRate, {
    description: `The customer confirmed it, rated it 4 or 5, or did not come back in time. ${INVOLVED}`,
  })
  verified_resolution_rate: Rate;

  @ObjectMember(() => AiRate, { description: 'Of resolutions that are old enough, those that were not reopened.' })
  durable_resolution_rate: Rate;

  @ObjectMember(() => AiRate, {
    description:
      'Of conversations in which a known contact was shown a source, a day ago or more: no ticket within 24 hours.',
  })
  deflection_rate: Rate;

  @ObjectMember(() => AiRate, { description: INVOLVED })
  handover_rate: Rate;

  @ObjectMember(() => AiRate, {
    description: 'Of conversations that were resolved, those that customers came back to.',
  })
  reopen_rate: Rate;
}

class AiCsat implements Csat {
  @NumberMember({ minimum: 1, maximum: 5, nullable: true })
  average: number | null;

  @ObjectMember(() => AiRate, { description: '4 and 5, of those that were rated.' })
  satisfied: Rate;
}

class AiHumanBaseline {
  @ObjectMember(() => AiCsat)
  csat: Csat;

  @ObjectMember(() => AiRate, { description: 'Of tickets that were resolved.' })
  reopen_rate: Rate;

  @NumberMember({ nullable: true })
  median_first_response_seconds: number | null;
}

class AiMinutesSaved {
  @IntegerMember({ minimum: 0 })
  value: number;

  @IntegerMember({ minimum: 0 })
  answers: number;

  @IntegerMember({ minimum: 0 })
  minutes_per_answer: number;

  @FlagMember({ description: 'Always: nobody has measured it.' })
  estimated: true;
}

class AiUsage {
  @TextMember()
  provider: string;

  @IntegerMember({
    minimum: 0,
    description: 'Messages of customers that were answered here; of a provider, questions to it.',
  })
  requests: number;

  @IntegerMember({ minimum: 0, description: 'As the provider counts them.' })
  tokens_in: number;

  @IntegerMember({ minimum: 0 })
  tokens_out: number;

  @IntegerMember({
    minimum: 0,
    description: 'Of which nothing came that could be said: quotes took its place, or a person.',
  })
  failed: number;

  @IntegerMember({ minimum: 0, description: 'Of which quotes that were found here took the place.' })
  fallback_count: number;

  @NumberMember({ nullable: true, minimum: 0, description: 'By the prices of the settings then; null without any.' })
  cost: number | null;
}

/** What became of conversations that began in the window, as of now. */
export class AiConversationMetrics extends AiConversationRates implements ConversationMetrics {
  @IntegerMember({ minimum: 0 })
  conversations: number;

  @CountsMember(HANDOVER_REASONS, 'Why it handed over.')
  by_reason: Record<string, number>;

  @ObjectMember(() => AiCsat, { description: 'Of conversations without a person.' })
  csat: Csat;

  @ObjectMember(() => AiHumanBaseline, {
    description: 'The same of tickets of the window that no conversation is about.',
  })
  human_baseline: ConversationMetrics['human_baseline'];

  @ObjectMember(() => AiConfidence, { description: 'Of answers, beside what customers said of them.' })
  confidence: ConversationMetrics['confidence'];

  @NumberMember({ nullable: true, minimum: 0 })
  median_first_answer_seconds: number | null;

  @NumberMember({ nullable: true, minimum: 0 })
  turns_avg: number | null;

  @ObjectMember(() => AiMinutesSaved)
  estimated_minutes_saved: ConversationMetrics['estimated_minutes_saved'];

  @ListMember(() => AiUsage)
  usage: ConversationMetrics['usage'];
}

/** The window of the same length before. */
export class AiPreviousWindow {
  @MomentMember()
  from: string;

  @MomentMember()
  to: string;

  @ObjectMember(() => AiConversationRates)
  rates: Rates;
}

const difference = { type: ['number', 'null'] };

/** By how much each rate is higher than in the window before. */
const deltaSchema = {
  type: 'object',
  required: [...RATES],
  properties: Object.fromEntries(RATES.map((name) => [name, difference])),
};

export const DeltaMember = (): PropertyDecorator =>
  AnyMember(deltaSchema, { description: 'By how much each rate is higher; null where either is of nothing.' });

export type Delta = Record<RateName, number | null>;
