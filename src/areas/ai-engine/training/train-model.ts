import { constants, setPriority } from 'node:os';
import { trainClassifier } from '../model/classifier';
import type { Evaluation } from '../model/evaluation';
import { toFile } from '../model/model-file';
import { trainTagger } from '../model/tagger';

/** What a thread is given. */
export interface TrainingTask {
  texts: string[];
  /** Of each what is true. */
  values: string[];
  /** By which some are held out; else by what the texts say. */
  keys?: string[];
  classes: string[];
  /** Whether a text may be of several classes; its value names them, with commas between. */
  many: boolean;
  /** Confidence from which a prediction counts as an answer. */
  threshold: number;
}

/** What it makes of that. */
export interface Trained {
  file: Uint8Array;
  evaluation: Evaluation;
}

/** Makes a model; for a thread, which then stands behind those that answer requests. */
export function trainModel({ texts, values, keys, classes, many, threshold }: TrainingTask): Trained {
  stepBack();
  const places = new Map(classes.map((value, index) => [value, index]));
  const { classifier, evaluation } = many
    ? trainTagger({ texts, tags: values.map((value) => placesOf(value, places)), classes }, threshold)
    : trainClassifier(
        { texts, labels: Int32Array.from(values, (value) => places.get(value) ?? 0), classes, keys },
        threshold,
      );
  return { file: toFile(classifier), evaluation };
}

function placesOf(value: string, places: ReadonlyMap<string, number>): number[] {
  return value.split(',').flatMap((each) => places.get(each) ?? []);
}

/** On Linux priorities are those of threads; elsewhere this would be that of the whole process. The lowest would never end on a busy machine. */
function stepBack(): void {
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
}
