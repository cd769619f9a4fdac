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

const ROUNDS = 100;
/** How firmly the line is held at a slope of 1: a few texts say little. */
const FIRMNESS = 1;
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

interface Aimed {
  score: number;
  target: number;
}

/** The line that loses least, or with this slope if it is not free. Steps that would lose more are made shorter (Lin, Lin and Weng 2007). */
function nearest(aimed: readonly Aimed[], from: Line, isFree: boolean): Line {
  let line = from;
  let loss = lossOf(aimed, line);
  for (let round = 0; round < ROUNDS; round++) {
    const { turn, shift, descent } = stepOf(aimed, line, isFree);
    if (descent < LEAST_DESCENT) break;
    for (let length = 1; ; length /= 2) {
      const next = { slope: line.slope - length * turn, start: line.start - length * shift };
      const lost = lossOf(aimed, next);
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
): { turn: number; shift: number; descent: number } {
  let [g, h, a, b, c] = [FIRMNESS * (slope - 1), 0, FIRMNESS, 0, RIDGE];
  for (const { score, target } of aimed) {
    const likely = chance(slope * score + start);
    const error = likely - target;
    const weight = likely * (1 - likely);
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

/** What a line loses: how unlikely it finds what was so, and how far it is from a slope of 1. */
function lossOf(aimed: readonly Aimed[], { slope, start }: Line): number {
  let loss = (FIRMNESS / 2) * (slope - 1) ** 2;
  for (const { score, target } of aimed) {
    const odds = slope * score + start;
    // ln(1 + e^odds), without overflow.
    loss += Math.max(0, odds) + Math.log1p(Math.exp(-Math.abs(odds))) - target * odds;
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
