import { invalid } from '../../../platform/errors/api-error';
import type { DealStatus } from '../crm-values';

/** A stage as a body of `POST /crm/pipelines` describes it. */
export interface AskedStage {
  name: string;
  type?: DealStatus;
  probability?: number;
  rotten_days?: number | null;
  color?: string | null;
}

/** A stage of a new pipeline, complete; its position is its place in the list, from 1. */
export interface PlannedStage extends Required<AskedStage> {
  position: number;
}

/** What a pipeline gets that is created without stages; the same as every workspace starts with. */
const STANDARD: readonly AskedStage[] = [
  { name: 'Qualification', probability: 10 },
  { name: 'Demo', probability: 25 },
  { name: 'Proposal', probability: 50 },
  { name: 'Negotiation', probability: 70 },
];

/** Stages of a pipeline at most. */
export const MAX_STAGES = 50;

/**
 * The stages of a new pipeline: those asked for, in order, with a stage for won and one for lost deals behind them where
 * they are missing. Open stages without a probability get steps of equal height. Refuses (422) two stages of the same
 * name, two for won or lost deals, and a pipeline without an open stage.
 */
export function planStages(asked: readonly AskedStage[] = STANDARD): PlannedStage[] {
  const list = [...asked];
  for (const [type, name] of [
    ['won', 'Won'],
    ['lost', 'Lost'],
  ] as const) {
    if (!list.some((stage) => stage.type === type)) list.push({ name, type });
  }
  const open = list.filter((stage) => (stage.type ?? 'open') === 'open').length;
  if (open === 0) invalid('stages', 'min', 'A pipeline needs at least one open stage.');
  if (list.length > MAX_STAGES) invalid('stages', 'max', `A pipeline has at most ${MAX_STAGES} stages.`);
  requireDistinct(list);
  let step = 0;
  return list.map((stage, index) => {
    const type = stage.type ?? 'open';
    if (type === 'open') step++;
    if (type !== 'open' && stage.rotten_days) {
      invalid(`stages.${index}.rotten_days`, 'invalid', 'Only open stages have "rotten_days".');
    }
    return {
      name: stage.name,
      type,
      position: index + 1,
      probability: forcedProbability(type) ?? stage.probability ?? Math.round((100 * step) / (open + 1)),
      rotten_days: stage.rotten_days ?? null,
      color: stage.color ?? null,
    };
  });
}

/** The probability that goes with the type whatever is asked for; null for open stages. */
export function forcedProbability(type: DealStatus): number | null {
  return type === 'open' ? null : type === 'won' ? 100 : 0;
}

/** A list with one item taken out (when it is in it) and put at a place, counted from 1; places behind the end are the end. */
export function placed<T>(list: readonly T[], item: T, position: number): T[] {
  const rest = list.filter((other) => other !== item);
  const index = Math.min(position, rest.length + 1) - 1;
  return [...rest.slice(0, index), item, ...rest.slice(index)];
}

/** Refuses (422) a list that is not exactly the present ids in some order. */
export function requirePermutation(field: string, present: readonly number[], asked: readonly number[]): void {
  const missing = present.filter((id) => !asked.includes(id));
  const foreign = asked.filter((id) => !present.includes(id));
  if (missing.length === 0 && foreign.length === 0 && asked.length === present.length) return;
  invalid(
    field,
    foreign.length > 0 ? 'not_found' : 'permutation',
    `"${field}" must name each stage of the pipeline exactly once.`,
    {
      missing,
      foreign,
      allowed: present,
    },
  );
}

function requireDistinct(list: readonly AskedStage[]): void {
  const names = new Set<string>();
  const ends = new Set<string>();
  for (const [index, { name, type = 'open' }] of list.entries()) {
    const key = name.toLowerCase();
    if (names.has(key)) invalid(`stages.${index}.name`, 'duplicate', `Two stages are called "${name}".`);
    if (type !== 'open' && ends.has(type)) {
      invalid(`stages.${index}.type`, 'duplicate', `A pipeline has exactly one stage for ${type} deals.`);
    }
    names.add(key);
    ends.add(type);
  }
}
