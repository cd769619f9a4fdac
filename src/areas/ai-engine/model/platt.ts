/** A score, and whether what it speaks for was so. */
export interface Scored {
  score: number;
  isRight: boolean;
}

/** Makes log odds of scores. */
export interface Line {
  slope: number;
  start: number;
}

/** No probability is as high. */
export const NEVER = 2;

/** How firmly a line is held at a slope of 1 and a start of 0: the smaller, the less it takes to move it. */
export interface Firmness {
  slope: number;
  start: number;
}

const ROUNDS = 100;
/** Its slope is held, as a few texts say little; where it starts is free. */
const FIRM: Firmness = { slope: 1, start: 0 };
const LEAST_SLOPE = 0.1;
/** Keeps steps finite where no score says anything. */
const RIDGE = 1e-6;
/** Less is no step, a part of what a step promises is enough of it, and none is made shorter than this. */
const LEAST_DESCENT = 1e-12;
const ENOUGH = 1e-4;
const SHORTEST = 1e-10;

/** The probability of log odds. */
export function chance(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/**
 * How scores become probabilities (Platt 1999, with his targets: no share is taken for none or all), by Newton's method. Never falling:
 * a higher score is never less likely.
 */
export function lineOf(scored: readonly Scored[]): Line {
  const all = scored.filter(({ isRight }) => isRight).length;
  const high = (all + 1) / (all + 2);
  const low = 1 / (scored.length - all + 2);
  const aimed = scored.map(({ score, isRight }) => ({ score, target: isRight ? high : low }));
  const line = nearest(aimed, { slope: 1, start: 0 }, true);
  // What is lost has one least place: where that is too flat, the least place of all that are not is the flattest one's.
  return line.slope >= LEAST_SLOPE ? line : nearest(aimed, { slope: LEAST_SLOPE, start: line.start }, false);
}

/** A score, the probability that it should become, and how much that counts (1 unless given). */
export interface Aimed {
  score: number;
  target: number;
  weight?: number;
}

/** How far a line may go: least and most. */
export interface Bounds {
  slope: readonly [number, number];
  start: readonly [number, number];
}

/** A line near to leaving log odds as they are (slope 1, start 0), and within bounds around that; never losing more than that does. */
export function lineWithin(aimed: readonly Aimed[], firm: Firmness, bounds: Bounds): Line {
  const best = nearest(aimed, { slope: 1, start: 0 }, true, firm);
  // As far towards the best as it may go: what is lost falls all the way, as it has one least place.
  const part = Math.min(reach(1, best.slope, bounds.slope), reach(0, best.start, bounds.start));
  if (part === 1) return best;
  const walked = { slope: 1 + part * (best.slope - 1), start: part * best.start };
  // Or as steep, or flat, as it may be, and from there the best start.
  const edge = nearest(aimed, { slope: held(best.slope, bounds.slope), start: walked.start }, false, firm);
  const other = { slope: edge.slope, start: held(edge.start, bounds.start) };
  return lossOf(aimed, other, firm) < lossOf(aimed, walked, firm) ? other : walked;
}

const held = (value: number, [least, most]: readonly [number, number]): number =>
  Math.min(most, Math.max(least, value));

/** The part of the way that is within. */
function reach(from: number, to: number, range: readonly [number, number]): number {
  return to === from ? 1 : (held(to, range) - from) / (to - from);
}

/** The line that loses least, or with this slope if it is not free. Steps that would lose more are made shorter (Lin, Lin and Weng 2007). */
function nearest(aimed: readonly Aimed[], from: Line, isFree: boolean, firm: Firmness = FIRM): Line {
  let line = from;
  let loss = lossOf(aimed, line, firm);
  for (let round = 0; round < ROUNDS; round++) {
    const { turn, shift, descent } = stepOf(aimed, line, isFree, firm);
    if (descent < LEAST_DESCENT) break;
    for (let length = 1; ; length /= 2) {
      const next = { slope: line.slope - length * turn, start: line.start - length * shift };
      const lost = lossOf(aimed, next, firm);
      if (lost <= loss - ENOUGH * length * descent) {
        [line, loss] = [next, lost];
        break;
      }
      if (length < SHORTEST) return line;
    }
  }
  return line;
}

/** Newton's step, and by how much less is lost along it at first. */
function stepOf(
  aimed: readonly Aimed[],
  { slope, start }: Line,
  isFree: boolean,
  firm: Firmness,
): { turn: number; shift: number; descent: number } {
  let [g, h, a, b, c] = [firm.slope * (slope - 1), firm.start * start, firm.slope, 0, firm.start + RIDGE];
  for (const { score, target, weight: counts = 1 } of aimed) {
    const likely = chance(slope * score + start);
    const error = counts * (likely - target);
    const weight = counts * likely * (1 - likely);
    g += error * score;
    h += error;
    a += weight * score * score;
    b += weight * score;
    c += weight;
  }
  if (!isFree) return { turn: 0, shift: h / c, descent: (h * h) / c };
  const determinant = a * c - b * b;
  const turn = (c * g - b * h) / determinant;
  const shift = (a * h - b * g) / determinant;
  return { turn, shift, descent: g * turn + h * shift };
}

/** What a line loses: how unlikely it finds what was so, and how far it is from where it is held. */
function lossOf(aimed: readonly Aimed[], { slope, start }: Line, firm: Firmness): number {
  let loss = (firm.slope / 2) * (slope - 1) ** 2 + (firm.start / 2) * start ** 2;
  for (const { score, target, weight = 1 } of aimed) {
    const odds = slope * score + start;
    // ln(1 + e^odds), without overflow.
    loss += weight * (Math.max(0, odds) + Math.log1p(Math.exp(-Math.abs(odds))) - target * odds);
  }
  return loss;
}

/**
 * The probability from which on to say it: of those from which on so large a share was right, with one right and one wrong one added (a
 * single one proves little), the one with the best F1. {@link NEVER} where there is none.
 */
export function cutOf(scored: readonly Scored[], { slope, start }: Line, share: number): number {
  const sorted = [...scored].sort((one, other) => other.score - one.score);
  const all = scored.filter(({ isRight }) => isRight).length;
  let right = 0;
  let best = 0;
  let cut = NEVER;
  for (const [at, { score, isRight }] of sorted.entries()) {
    if (isRight) right++;
    // Those with the same score stand or fall together.
    if (sorted[at + 1]?.score === score || (right + 1) / (at + 3) < share) continue;
    const f1 = (2 * right) / (all + at + 1);
    if (f1 <= best) continue;
    best = f1;
    cut = chance(slope * score + start);
  }
  return cut;
}
