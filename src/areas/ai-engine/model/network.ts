import { Products } from './products';
import { range, seeded, shuffle } from './random';

/** A network with one hidden layer: weights of each input for each hidden unit, then of each unit for each class; behind both those that are always there. */
export interface Network {
  inputs: number;
  hidden: number;
  classes: number;
  first: Float32Array;
  second: Float32Array;
}

/** How a network is learnt. */
export interface NetworkSettings {
  hidden: number;
  rounds: number;
  /** Texts that are looked at together. */
  batch: number;
  /** How far weights move at first; at the end they stand. */
  pace: number;
  /** What weights and the order of the texts are drawn by. */
  seed: number;
}

/** What a network sees of texts: numbers of each, which may be moved by what it learns. */
export interface Sight {
  inputs: number;
  /** Writes the numbers of a text, from `at` on. */
  show: (row: number, out: Float64Array, at: number) => void;
  /** Moves whatever the numbers of a text are made of, down the slopes from `at` on, by as much as `left` of the way is left; null where they stand. */
  move: ((row: number, slopes: Float64Array, at: number, left: number) => void) | null;
}

/** What the texts of a batch go through, and what comes back. */
interface Layers {
  units: Float64Array;
  errors: Float64Array;
  slopes: Float64Array;
  /** Room for the weights of the units, class by class. */
  turned: Float64Array;
}

/**
 * Learns classes from numbers that stand.
 *
 * @param rows numbers of each text, text by text
 * @param labels class of each
 */
export function trainNetwork(
  rows: Float32Array,
  labels: Int32Array,
  classes: number,
  settings: NetworkSettings,
): Network {
  const inputs = rows.length / Math.max(1, labels.length);
  const show = (row: number, out: Float64Array, at: number): void => {
    for (let input = 0; input < inputs; input++) out[at + input] = rows[row * inputs + input] ?? 0;
  };
  return trainBySight({ inputs, show, move: null }, labels, classes, settings);
}

/**
 * Learns classes from what is seen of texts: rectified units, the likelihood of the true class, Adam (Kingma and Ba 2015) with a pace that
 * falls to none.
 *
 * @param labels class of each text
 */
export function trainBySight(
  { inputs, show, move }: Sight,
  labels: Int32Array,
  classes: number,
  settings: NetworkSettings,
): Network {
  const { hidden, rounds, batch, pace, seed } = settings;
  const random = seeded(seed);
  const sizes = { inputs, hidden, classes };
  const products = new Products(numbersOf(sizes, batch) + (move ? inputs * (hidden + batch) : 0));
  const first = products.array((inputs + 1) * hidden);
  const second = products.array((hidden + 1) * classes);
  for (let at = 0; at < inputs * hidden; at++) first[at] = gaussian(random) * Math.sqrt(2 / inputs);
  for (let at = 0; at < hidden * classes; at++) second[at] = gaussian(random) * Math.sqrt(1 / hidden);
  const steps = [
    new Adam(first, products.array(first.length)),
    new Adam(second, products.array(second.length)),
  ] as const;
  const order = range(labels.length);
  const given = products.array(batch * (inputs + 1));
  const layers: Layers = {
    units: products.array(batch * (hidden + 1)),
    errors: products.array(batch * classes),
    slopes: products.array(batch * hidden),
    turned: products.array(classes * hidden),
  };
  const back = move && { turned: products.array(hidden * inputs), slopes: products.array(batch * inputs) };
  const perRound = Math.ceil(labels.length / batch);
  for (let round = 0; round < rounds; round++) {
    shuffle(order, random);
    for (let part = 0; part < perRound; part++) {
      const chosen = order.subarray(part * batch, (part + 1) * batch);
      for (const [at, row] of chosen.entries()) {
        show(row, given, at * (inputs + 1));
        given[at * (inputs + 1) + inputs] = 1;
      }
      lookAt(given, chosen, labels, sizes, { first, second }, layers, products);
      const left = 1 - (round * perRound + part) / (rounds * perRound);
      if (back) lookBack(first, layers.slopes, sizes, chosen.length, back, products);
      for (const [at, row] of chosen.entries()) if (back) move(row, back.slopes, at * inputs, left);
      const share = 1 / chosen.length;
      // Row by row of the weights: each input, or unit, of all texts with what came back of them.
      steps[0].move(pace * left, share, (of) => {
        const seen = { of: given, at: 0, next: 1, step: inputs + 1 };
        products.add(inputs + 1, { of, at: 0, next: hidden }, hidden, seen, layers.slopes, chosen.length);
      });
      steps[1].move(pace * left, share, (of) => {
        const seen = { of: layers.units, at: 0, next: 1, step: hidden + 1 };
        products.add(hidden + 1, { of, at: 0, next: classes }, classes, seen, layers.errors, chosen.length);
      });
    }
  }
  return { inputs, hidden, classes, first: Float32Array.from(first), second: Float32Array.from(second) };
}

/** Networks of the same inputs and classes as one, side by side: its scores are the average of theirs. */
export function sideBySide(networks: readonly [Network, ...Network[]]): Network {
  const [{ inputs, classes }] = networks;
  const hidden = networks.reduce((sum, each) => sum + each.hidden, 0);
  const first = new Float32Array((inputs + 1) * hidden);
  const second = new Float32Array((hidden + 1) * classes);
  let from = 0;
  for (const network of networks) {
    const own = network.hidden;
    for (let input = 0; input <= inputs; input++)
      first.set(network.first.subarray(input * own, (input + 1) * own), input * hidden + from);
    for (const [at, weight] of network.second.entries()) {
      const place = at + (at < own * classes ? from : hidden - own) * classes;
      second[place] = (second[place] ?? 0) + weight / networks.length;
    }
    from += own;
  }
  return { inputs, hidden, classes, first, second };
}

/** Scores of a text, a number for each class, into `out` from `offset` on. @param row which of the texts */
export function networkScores(network: Network, rows: Float32Array, row: number, out: Float32Array, offset = 0): void {
  const { inputs, hidden, classes, second } = network;
  const units = unitsOf(network, rows.subarray(row * inputs, (row + 1) * inputs));
  for (let k = 0; k < classes; k++) out[offset + k] = second[hidden * classes + k] ?? 0;
  for (let unit = 0; unit < hidden; unit++) {
    const lit = Math.max(0, units[unit] ?? 0);
    for (let k = 0; k < classes; k++)
      out[offset + k] = (out[offset + k] ?? 0) + lit * (second[unit * classes + k] ?? 0);
  }
}

/** How much a sum of scores grows with each input of a text. @param shares how much of the score of each class is in the sum */
export function networkSlopes(network: Network, row: Float32Array, shares: readonly number[]): Float32Array {
  const { inputs, hidden, classes, first, second } = network;
  const pulls = unitsOf(network, row).map((unit, at) =>
    unit > 0 ? shares.reduce((sum, share, k) => sum + share * (second[at * classes + k] ?? 0), 0) : 0,
  );
  const slopes = new Float32Array(inputs);
  for (let input = 0; input < inputs; input++) {
    let slope = 0;
    for (let unit = 0; unit < hidden; unit++) slope += (first[input * hidden + unit] ?? 0) * (pulls[unit] ?? 0);
    slopes[input] = slope;
  }
  return slopes;
}

/** What the hidden units get of a text. */
function unitsOf({ inputs, hidden, first }: Network, row: Float32Array): Float32Array {
  const units = first.slice(inputs * hidden);
  for (let input = 0; input < inputs; input++) {
    const value = row[input] ?? 0;
    for (let unit = 0; unit < hidden; unit++)
      units[unit] = (units[unit] ?? 0) + value * (first[input * hidden + unit] ?? 0);
  }
  return units;
}

/** Numbers that are kept while a network is learnt. */
function numbersOf({ inputs, hidden, classes }: Pick<Network, 'inputs' | 'hidden' | 'classes'>, batch: number): number {
  const weights = (inputs + 1) * hidden + (hidden + 1) * classes;
  return 2 * weights + hidden * classes + batch * (inputs + 1 + hidden + 1 + classes + hidden);
}

/** The texts of a batch through the network, and how far what came out is from what is true, back to the hidden units. */
function lookAt(
  given: Float64Array,
  chosen: Int32Array,
  labels: Int32Array,
  { inputs, hidden, classes }: Pick<Network, 'inputs' | 'hidden' | 'classes'>,
  { first, second }: { first: Float64Array; second: Float64Array },
  { units, errors, slopes, turned }: Layers,
  products: Products,
): void {
  const texts = chosen.length;
  const seen = { of: given, at: 0, next: inputs + 1, step: 1 };
  const lit = { of: units, at: 0, next: hidden + 1, step: 1 };
  const wrong = { of: errors, at: 0, next: classes, step: 1 };
  units.fill(0);
  products.add(texts, lit, hidden, seen, first, inputs + 1);
  for (let at = 0; at < texts * (hidden + 1); at++) units[at] = Math.max(0, units[at] ?? 0);
  for (let at = 0; at < texts; at++) units[at * (hidden + 1) + hidden] = 1;
  errors.fill(0);
  products.add(texts, wrong, classes, lit, second, hidden + 1);
  for (const [at, row] of chosen.entries())
    likelihoodSlope(errors.subarray(at * classes, (at + 1) * classes), labels[row] ?? 0);
  turn(second, hidden, classes, turned);
  slopes.fill(0);
  products.add(texts, { of: slopes, at: 0, next: hidden }, hidden, wrong, turned, classes);
  for (let at = 0; at < texts; at++)
    for (let unit = 0; unit < hidden; unit++)
      if ((units[at * (hidden + 1) + unit] ?? 0) <= 0) slopes[at * hidden + unit] = 0;
}

/** From the hidden units of each text back to its numbers. @param back `turned`: room for the weights, unit by unit */
function lookBack(
  first: Float64Array,
  ofUnits: Float64Array,
  { inputs, hidden }: Pick<Network, 'inputs' | 'hidden'>,
  texts: number,
  { turned, slopes }: { turned: Float64Array; slopes: Float64Array },
  products: Products,
): void {
  turn(first, inputs, hidden, turned);
  slopes.fill(0);
  const back = { of: slopes, at: 0, next: inputs };
  products.add(texts, back, inputs, { of: ofUnits, at: 0, next: hidden, step: 1 }, turned, hidden);
}

/** Writes the first rows of a matrix as the columns of another. */
function turn(matrix: Float64Array, rows: number, width: number, out: Float64Array): void {
  for (let row = 0; row < rows; row++)
    for (let at = 0; at < width; at++) out[at * rows + row] = matrix[row * width + at] ?? 0;
}

/** Scores become what their likelihood grows by, the other way round, in place: the probability of each class, less 1 for the true one. */
function likelihoodSlope(scores: Float64Array, label: number): void {
  const highest = Math.max(...scores);
  let sum = 0;
  for (let k = 0; k < scores.length; k++) sum += scores[k] = Math.exp((scores[k] ?? 0) - highest);
  for (let k = 0; k < scores.length; k++) scores[k] = (scores[k] ?? 0) / sum - (k === label ? 1 : 0);
}

/** Weights and how they have moved lately. */
class Adam {
  private readonly speeds: Float64Array;
  private readonly spreads: Float64Array;
  private moves = 0;

  /** @param slopes of the same length; where they are added up */
  constructor(
    private readonly weights: Float64Array,
    private readonly slopes: Float64Array,
  ) {
    this.speeds = new Float64Array(weights.length);
    this.spreads = new Float64Array(weights.length);
  }

  /** @param share what each text counts; @param sum adds up the slopes of the weights over the texts */
  move(pace: number, share: number, sum: (out: Float64Array) => void): void {
    const { weights, slopes, speeds, spreads } = this;
    slopes.fill(0);
    sum(slopes);
    this.moves++;
    const scale = pace / (1 - 0.9 ** this.moves);
    const spreadScale = 1 / (1 - 0.999 ** this.moves);
    for (let at = 0; at < weights.length; at++) {
      const slope = (slopes[at] ?? 0) * share;
      const speed = 0.9 * (speeds[at] ?? 0) + 0.1 * slope;
      const spread = 0.999 * (spreads[at] ?? 0) + 0.001 * slope * slope;
      speeds[at] = speed;
      spreads[at] = spread;
      weights[at] = (weights[at] ?? 0) - (scale * speed) / (Math.sqrt(spread * spreadScale) + 1e-8);
    }
  }
}

/** A number of the normal distribution (Box and Muller). */
function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
