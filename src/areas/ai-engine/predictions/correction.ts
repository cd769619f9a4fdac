import { type Aimed, chance, type Line, lineWithin } from '../model/platt';
import type { Task } from '../tasks';
import { rounded } from './abstained';
import type { NewPrediction, ToldPrediction } from './prediction.entity';

/** Predictions of one task and method that were about as sure of themselves, and what became of them. */
export interface Outcome {
  task: Task;
  /** Without the day of its model. */
  method: string;
  model_id: number | null;
  /** What the method said of itself, in hundredths. */
  score: number;
  is_right: boolean;
  /** Somebody said so; else the resolved ticket does. */
  is_reviewed: boolean;
  n: number;
}

/** Makes a confidence of what a method says of itself; never falling. */
export type Correction = (score: number) => number;

/** Outcomes that it takes, by what they weigh, and of either kind; with less it is the fixed map. */
export const LEAST_OUTCOMES = 50;
export const LEAST_OF_A_KIND = 5;
/** What a resolved ticket says weighs so much: who resolves one need not have looked at each of its fields. */
const BY_TICKET = 0.5;
/** Whom nobody sets while they look at the prediction: how content a customer was, and when it was done. */
const FACTS: readonly Task[] = ['csat_risk', 'sla_breach_risk'];
/** Predictions by earlier models of the same kind. */
const BY_EARLIER = 0.25;

/** How firmly the log odds are held where they are. */
const FIRM = { slope: 4, start: 2 };
/** How far they may go at all, whatever is said in reviews. */
export const FARTHEST = { slope: [0.25, 2], start: [-2, 2] } as const;
/** Once it is learnt nothing is surer, or less sure, than this. */
const LEAST = 0.01;
const MOST = 0.99;
/** Log odds are taken of no more than this. */
const EDGE = 0.005;

/** What methods begin with whose scores are no probabilities; rules and lists of words count cues by such a map themselves. */
const FIXED: Readonly<Record<string, Correction>> = {
  'function-words': (score) => rounded(0.9 * score),
  // Likeness from 0.85 on.
  cosine: (score) => rounded(Math.min(0.8, Math.max(0, 0.5 + 2 * (score - 0.85)))),
};
/** A list of words is no understanding, however often it was right. */
const CAPS: Readonly<Record<string, number>> = { lexicon: 0.6 };

const familyOf = (method: string): string => method.split('/', 1)[0] ?? method;
const same: Correction = (score) => score;

/** How sure predictions of a workspace are, by what became of earlier ones; those that nobody asks for are not made. */
export class Corrections {
  private readonly made = new Map<string, Correction>();

  constructor(private readonly outcomes: readonly Outcome[]) {}

  of(task: Task, method: string, modelId: number | null): Correction {
    const key = `${task} ${method} ${modelId}`;
    let made = this.made.get(key);
    if (!made) {
      made = correctionOf(task, method, modelId, this.outcomes);
      this.made.set(key, made);
    }
    return made;
  }
}

/** How what a method says of itself becomes a confidence: the fixed map, and what outcomes make of it once there are enough (pure). */
export function correctionOf(
  task: Task,
  method: string,
  modelId: number | null,
  outcomes: readonly Outcome[],
): Correction {
  const family = familyOf(method);
  const fixed = FIXED[family] ?? same;
  const line = lineFrom(
    outcomes.filter((each) => each.task === task && each.method === family),
    modelId,
    fixed,
  );
  if (!line) return fixed;
  const most = Math.min(MOST, CAPS[family] ?? 1);
  return (score) => rounded(Math.min(most, Math.max(LEAST, chance(line.slope * oddsOf(fixed(score)) + line.start))));
}

/** Platt's line between log odds, held near to leaving them as they are; null where too little is known. */
function lineFrom(outcomes: readonly Outcome[], modelId: number | null, fixed: Correction): Line | null {
  // By hundredths, so that neither their order nor how they are grouped makes another sum.
  const sums = new Map<number, { right: number; wrong: number }>();
  const all = { right: 0, wrong: 0 };
  for (const each of outcomes) {
    const at = Math.round(each.score * 100);
    const sum = sums.get(at) ?? { right: 0, wrong: 0 };
    sums.set(at, sum);
    const kind = each.is_right ? 'right' : 'wrong';
    const weight = each.n * weightOf(each, modelId);
    sum[kind] += weight;
    all[kind] += weight;
  }
  if (all.right + all.wrong < LEAST_OUTCOMES || Math.min(all.right, all.wrong) < LEAST_OF_A_KIND) return null;
  const aimed: Aimed[] = [...sums]
    .sort(([one], [other]) => one - other)
    .map(([at, { right, wrong }]) => {
      const weight = right + wrong;
      return { score: oddsOf(fixed(at / 100)), target: right / weight, weight };
    });
  return lineWithin(aimed, FIRM, FARTHEST);
}

function weightOf({ task, model_id, is_reviewed }: Outcome, modelId: number | null): number {
  return (is_reviewed || FACTS.includes(task) ? 1 : BY_TICKET) * (model_id === modelId ? 1 : BY_EARLIER);
}

function oddsOf(probability: number): number {
  const held = Math.min(1 - EDGE, Math.max(EDGE, probability));
  return Math.log(held / (1 - held));
}

/** A prediction as sure as it is told to be. What else it could be shares in what is left, and is never surer than it. */
export function told(predicted: NewPrediction, correction: Correction): ToldPrediction {
  const { task, value, confidence: score } = predicted;
  if (score === null || task === 'resolution_time') return { ...predicted, score };
  const confidence = correction(score);
  // Tags are each by themselves.
  if (task === 'tags' || confidence === score) return { ...predicted, score, confidence };
  const left = score < 1 ? (1 - confidence) / (1 - score) : 0;
  const alternatives = predicted.alternatives.map((each, place) => {
    if (value === null && place === 0) return { ...each, confidence };
    const own = task === 'duplicate' ? correction(each.confidence) : rounded(each.confidence * left);
    return { ...each, confidence: Math.min(confidence, own) };
  });
  return { ...predicted, score, confidence, alternatives };
}
