import { HANDOVER_REASONS } from '../conversations/conversation-values';
import { expectedError, share } from '../model/evaluation';
import type { AnswerTally, CohortCounts, CohortFacts, Usage } from './conversation-facts';
import { type Bin, type Rate, rate } from './task-metrics';

/** The rates of product reference 7.5, each of the conversations that began in the window. */
export const RATES = [
  'involvement_rate',
  'answer_rate',
  'containment_rate',
  'automation_rate',
  'resolution_rate',
  'verified_resolution_rate',
  'durable_resolution_rate',
  'deflection_rate',
  'handover_rate',
  'reopen_rate',
] as const;
export type RateName = (typeof RATES)[number];
export type Rates = Record<RateName, Rate>;

/** How content customers are: of 1 to 5. */
export interface Csat {
  average: number | null;
  satisfied: Rate;
}

export interface ConversationMetrics extends Rates {
  conversations: number;
  by_reason: Record<string, number>;
  csat: Csat;
  human_baseline: { csat: Csat; reopen_rate: Rate; median_first_response_seconds: number | null };
  confidence: { mean: number | null; distribution: number[]; calibration: Bin[]; ece: number | null };
  median_first_answer_seconds: number | null;
  turns_avg: number | null;
  estimated_minutes_saved: { value: number; answers: number; minutes_per_answer: number; estimated: true };
  usage: Usage[];
}

export function ratesOf({ conversations: facts, tickets }: CohortCounts): Rates {
  const { involved } = facts;
  const automation = rate(facts.resolved, involved);
  return {
    involvement_rate: rate(involved, facts.conversations + tickets.eligible),
    answer_rate: rate(facts.answered, involved),
    containment_rate: rate(facts.contained, involved),
    automation_rate: automation,
    resolution_rate: automation,
    verified_resolution_rate: rate(facts.verified, involved),
    durable_resolution_rate: rate(facts.durable, facts.settled),
    deflection_rate: rate(facts.deflected, facts.suggested),
    handover_rate: rate(facts.handed_over, involved),
    reopen_rate: rate(facts.reopened, facts.ever_resolved),
  };
}

export function conversationMetrics(found: CohortFacts): ConversationMetrics {
  const { conversations: facts, tickets, reasons } = found;
  return {
    conversations: facts.conversations,
    ...ratesOf(found),
    by_reason: Object.fromEntries(
      HANDOVER_REASONS.map((name) => [name, reasons.find(({ reason }) => reason === name)?.n ?? 0]),
    ),
    csat: csatOf(facts),
    human_baseline: {
      csat: csatOf(tickets),
      reopen_rate: rate(tickets.reopened, tickets.resolved),
      median_first_response_seconds: tickets.median_first_response_seconds,
    },
    confidence: confidenceOf(found.answers),
    median_first_answer_seconds: facts.median_first_answer_seconds,
    turns_avg: share(facts.turns, facts.conversations),
    estimated_minutes_saved: {
      value: facts.answers * facts.minutes_per_answer,
      answers: facts.answers,
      minutes_per_answer: facts.minutes_per_answer,
      estimated: true,
    },
    usage: [
      {
        provider: 'local',
        requests: facts.found_here,
        tokens_in: 0,
        tokens_out: 0,
        failed: 0,
        fallback_count: 0,
        cost: 0,
      },
      ...found.calls,
    ],
  };
}

/** By how much each rate is higher than before; null where either is of nothing. */
export function deltaOf(now: Rates, before: Rates): Record<RateName, number | null> {
  const difference = (name: RateName): number | null => {
    const [value, former] = [now[name].value, before[name].value];
    return value === null || former === null ? null : Math.round((value - former) * 10_000) / 10_000;
  };
  return {
    involvement_rate: difference('involvement_rate'),
    answer_rate: difference('answer_rate'),
    containment_rate: difference('containment_rate'),
    automation_rate: difference('automation_rate'),
    resolution_rate: difference('resolution_rate'),
    verified_resolution_rate: difference('verified_resolution_rate'),
    durable_resolution_rate: difference('durable_resolution_rate'),
    deflection_rate: difference('deflection_rate'),
    handover_rate: difference('handover_rate'),
    reopen_rate: difference('reopen_rate'),
  };
}

function csatOf({ rated, rated_sum, satisfied }: { rated: number; rated_sum: number; satisfied: number }): Csat {
  return { average: share(rated_sum, rated), satisfied: rate(satisfied, rated) };
}

/** How sure answers were, beside what customers said of those that they judged. */
function confidenceOf(tallies: readonly AnswerTally[]): ConversationMetrics['confidence'] {
  const count = (some: readonly AnswerTally[]): number => some.reduce((sum, { n }) => sum + n, 0);
  const total = (some: readonly AnswerTally[]): number => some.reduce((sum, { confidence }) => sum + confidence, 0);
  const judged = tallies.filter(({ helpful }) => helpful !== null);
  const bins = Array.from({ length: 10 }, (_, bin) => bin);
  const calibration = bins.map((bin) => {
    const inside = judged.filter((tally) => tally.bin === bin);
    const n = count(inside);
    const right = count(inside.filter(({ helpful }) => helpful === true));
    return { bin: bin / 10, predicted: share(total(inside), n), observed: share(right, n), n };
  });
  return {
    mean: share(total(tallies), count(tallies)),
    distribution: bins.map((bin) => count(tallies.filter((tally) => tally.bin === bin))),
    calibration,
    ece: expectedError(calibration, count(judged)),
  };
}
