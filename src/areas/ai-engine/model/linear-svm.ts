import { range, seeded, shuffle } from './random';
import type { SparseRows } from './sparse';

/** Weights of a linear model, feature by feature, a number for each class; behind them those that every text has. */
export interface LinearModel {
  classes: number;
  weights: Float32Array;
}

/** For each row and class whether the row is of it: 1, or -1. */
export type Signs = Int8Array;

/** Of rows that are of one class each. @param labels class of each row */
export function signsOf(labels: Int32Array, classes: number): Signs {
  const signs = new Int8Array(labels.length * classes).fill(-1);
  for (const [row, label] of labels.entries()) signs[row * classes + label] = 1;
  return signs;
}

/** How much a mistake costs, and how often every text is looked at. */
export interface SvmSettings {
  cost: number;
  rounds: number;
}

/**
 * One class against the others, for all classes at once: support vector machines with squared hinge loss, by dual coordinate
 * descent (Hsieh et al. 2008, what LIBLINEAR does).
 *
 * @param signs of the first rows, which are learnt from
 * @param columns features that there are
 */
export function trainSvm(
  rows: SparseRows,
  signs: Signs,
  classes: number,
  columns: number,
  { cost, rounds }: SvmSettings,
): LinearModel {
  const { starts, columns: at, values } = rows;
  const count = signs.length / classes;
  const weights = new Float32Array((columns + 1) * classes);
  const model: LinearModel = { classes, weights };
  const alphas = new Float32Array(count * classes);
  const scores = new Float32Array(classes);
  const steps = new Float32Array(classes);
  const diagonal = 1 / (2 * cost);
  const norms = squaredNorms(rows, count);
  const order = range(count);
  const random = seeded(7);
  const always = columns * classes;
  for (let round = 0; round < rounds; round++) {
    shuffle(order, random);
    for (const row of order) {
      const from = starts[row] ?? 0;
      const to = starts[row + 1] ?? 0;
      linearScores(model, rows, row, scores);
      const curvature = (norms[row] ?? 1) + diagonal;
      let moves = false;
      for (let k = 0; k < classes; k++) {
        const sign = signs[row * classes + k] ?? 0;
        const alpha = alphas[row * classes + k] ?? 0;
        const next = Math.max(0, alpha - (sign * (scores[k] ?? 0) - 1 + diagonal * alpha) / curvature);
        alphas[row * classes + k] = next;
        steps[k] = (next - alpha) * sign;
        moves ||= next !== alpha;
      }
      if (!moves) continue;
      for (let k = 0; k < classes; k++) weights[always + k] = (weights[always + k] ?? 0) + (steps[k] ?? 0);
      for (let entry = from; entry < to; entry++) {
        const place = (at[entry] ?? 0) * classes;
        const value = values[entry] ?? 0;
        for (let k = 0; k < classes; k++) weights[place + k] = (weights[place + k] ?? 0) + (steps[k] ?? 0) * value;
      }
    }
  }
  return model;
}

/**
 * Scores of a row, a number for each class, into `out` from `offset` on: four classes at a time, of numbers that are at hand, as this is
 * where the time of a training goes.
 */
export function linearScores(
  { classes, weights }: LinearModel,
  { starts, columns: at, values }: SparseRows,
  row: number,
  out: Float32Array,
  offset = 0,
): void {
  const [from, to, always] = [starts[row] ?? 0, starts[row + 1] ?? 0, weights.length - classes];
  let k = 0;
  for (; k + 4 <= classes; k += 4) {
    let a = weights[always + k] ?? 0;
    let b = weights[always + k + 1] ?? 0;
    let c = weights[always + k + 2] ?? 0;
    let d = weights[always + k + 3] ?? 0;
    for (let entry = from; entry < to; entry++) {
      const place = (at[entry] ?? 0) * classes + k;
      const value = values[entry] ?? 0;
      a = Math.fround(a + (weights[place] ?? 0) * value);
      b = Math.fround(b + (weights[place + 1] ?? 0) * value);
      c = Math.fround(c + (weights[place + 2] ?? 0) * value);
      d = Math.fround(d + (weights[place + 3] ?? 0) * value);
    }
    out[offset + k] = a;
    out[offset + k + 1] = b;
    out[offset + k + 2] = c;
    out[offset + k + 3] = d;
  }
  for (; k < classes; k++) {
    let a = weights[always + k] ?? 0;
    for (let entry = from; entry < to; entry++)
      a = Math.fround(a + (weights[(at[entry] ?? 0) * classes + k] ?? 0) * (values[entry] ?? 0));
    out[offset + k] = a;
  }
}

/** Squared lengths of the rows, with the feature that every text has. */
function squaredNorms({ starts, values }: SparseRows, count: number): Float32Array {
  const norms = new Float32Array(count);
  for (let row = 0; row < count; row++) {
    let sum = 1;
    for (let entry = starts[row] ?? 0; entry < (starts[row + 1] ?? 0); entry++) sum += (values[entry] ?? 0) ** 2;
    norms[row] = sum;
  }
  return norms;
}
