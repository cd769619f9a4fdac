/** Scores of several models of the same texts: of each model text by text, a number for each class. */
export interface MemberScores {
  classes: number;
  members: readonly Float32Array[];
}

/** How scores of several models become one probability for each class: what each model weighs, and what each class begins with. */
export interface Blend {
  weights: Float32Array;
  biases: Float32Array;
}

const ROUNDS = 150;
/** How firmly biases are held at none: a class with a few texts to learn them from keeps what the models say. */
const FIRMNESS = 2;

/**
 * Learns the blend from texts that the models have not seen, by the likelihood of what they are: its probabilities are calibrated
 * by that (temperature scaling, with a temperature for each model).
 *
 * @param chosen the texts to learn from, by their places
 * @param labels class of each text; -1 = none of them
 */
export function learnBlend({ classes, members }: MemberScores, labels: Int32Array, chosen: readonly number[]): Blend {
  const known = chosen.filter((row) => (labels[row] ?? -1) >= 0);
  const size = members.length + classes;
  const parameters = new Float32Array(size).fill(1, 0, members.length);
  const speeds = new Float32Array(size);
  const spreads = new Float32Array(size);
  const slopes = new Float64Array(size);
  const scores = new Float32Array(classes);
  for (let round = 1; round <= ROUNDS && known.length > 0; round++) {
    slopes.fill(0);
    for (let k = 0; k < classes; k++) slopes[members.length + k] = FIRMNESS * (parameters[members.length + k] ?? 0);
    for (const row of known) {
      mix(members, classes, row, parameters, scores);
      toProbabilities(scores);
      const label = labels[row] ?? 0;
      for (let k = 0; k < classes; k++) {
        const error = (scores[k] ?? 0) - (k === label ? 1 : 0);
        slopes[members.length + k] = (slopes[members.length + k] ?? 0) + error;
        for (const [index, member] of members.entries())
          slopes[index] = (slopes[index] ?? 0) + error * (member[row * classes + k] ?? 0);
      }
    }
    // Adam, over all texts at once.
    for (let index = 0; index < size; index++) {
      const slope = (slopes[index] ?? 0) / known.length;
      const speed = 0.9 * (speeds[index] ?? 0) + 0.1 * slope;
      const spread = 0.99 * (spreads[index] ?? 0) + 0.01 * slope * slope;
      speeds[index] = speed;
      spreads[index] = spread;
      const pace = speed / (1 - 0.9 ** round) / (Math.sqrt(spread / (1 - 0.99 ** round)) + 1e-8);
      parameters[index] = (parameters[index] ?? 0) - 0.05 * pace;
    }
  }
  return { weights: parameters.slice(0, members.length), biases: parameters.slice(members.length) };
}

/** Probabilities of the classes for one text. */
export function blended({ classes, members }: MemberScores, { weights, biases }: Blend, row: number): Float32Array {
  const scores = new Float32Array(classes);
  mix(members, classes, row, Float32Array.from([...weights, ...biases]), scores);
  toProbabilities(scores);
  return scores;
}

/** @param parameters what each member weighs, then what each class begins with */
function mix(
  members: readonly Float32Array[],
  classes: number,
  row: number,
  parameters: Float32Array,
  out: Float32Array,
): void {
  for (let k = 0; k < classes; k++) out[k] = parameters[members.length + k] ?? 0;
  for (const [index, member] of members.entries()) {
    const weight = parameters[index] ?? 0;
    for (let k = 0; k < classes; k++) out[k] = (out[k] ?? 0) + weight * (member[row * classes + k] ?? 0);
  }
}

/** Scores become probabilities, in place. */
export function toProbabilities(scores: Float32Array): void {
  let highest = -Infinity;
  for (const score of scores) if (score > highest) highest = score;
  let sum = 0;
  for (let k = 0; k < scores.length; k++) sum += scores[k] = Math.exp((scores[k] ?? 0) - highest);
  for (let k = 0; k < scores.length; k++) scores[k] = (scores[k] ?? 0) / sum;
}
