import type { NewPrediction } from './prediction.entity';

/** What is said when nothing is. */
export function abstained(
  task: NewPrediction['task'],
  method: string,
  modelId: number | null,
): Omit<NewPrediction, 'abstain_reason'> {
  const nothing = { value: null, label: null, confidence: null, alternatives: [], features: [] };
  return { task, ...nothing, method, model_id: modelId };
}

/** To four decimals. */
export function rounded(confidence: number): number {
  return Math.round(confidence * 10_000) / 10_000;
}
