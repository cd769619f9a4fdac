import { constants, setPriority } from 'node:os';
import { trainClassifier } from '../model/classifier';
import type { Evaluation } from '../model/evaluation';
import { toFile } from '../model/model-file';

/** What a thread is given. */
export interface TrainingTask {
  texts: string[];
  values: string[];
  classes: string[];
  /** Confidence from which a prediction counts as an answer. */
  threshold: number;
}

/** What it makes of that. */
export interface Trained {
  file: Uint8Array;
  evaluation: Evaluation;
}

/** Makes a model; for a thread, which then stands behind those that answer requests. */
export function trainModel({ texts, values, classes, threshold }: TrainingTask): Trained {
  stepBack();
  const places = new Map(classes.map((value, index) => [value, index]));
  const labels = Int32Array.from(values, (value) => places.get(value) ?? 0);
  const { classifier, evaluation } = trainClassifier({ texts, labels, classes }, threshold);
  return { file: toFile(classifier), evaluation };
}

/** On Linux priorities are those of threads; elsewhere this would be that of the whole process. */
function stepBack(): void {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);
}
