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

const ROUNDS = 50;
/** How firmly the line is held at a slope of 1: a few texts say little. */
const FIRMNESS = 1;
const LEAST_SLOPE = 0.1;

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
  let slope = 1;
  let start = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = [FIRMNESS * (slope - 1), 0];
    const curves = [FIRMNESS, 0, 1e-6];
    for (const { score, isRight } of scored) {
      const likely = chance(slope * score + start);
      const error = likely - (isRight ? high : low);
      const weight = likely * (1 - likely);
      slopes[0] = (slopes[0] ?? 0) + error * score;
      slopes[1] = (slopes[1] ?? 0) + error;
      curves[0] = (curves[0] ?? 0) + weight * score * score;
      curves[1] = (curves[1] ?? 0) + weight * score;
      curves[2] = (curves[2] ?? 0) + weight;
    }
    const [g = 0, h = 0] = slopes;
    const [a = 1, b = 0, c = 1] = curves;
    const determinant = a * c - b * b;
    if (determinant < 1e-12) break;
    const steps = [(c * g - b * h) / determinant, (a * h - b * g) / determinant] as const;
    // Far from the end the curve misleads: small steps get there as well.
    const shorter = Math.min(1, 2 / Math.max(Math.abs(steps[0]), Math.abs(steps[1]), 1e-12));
    slope = Math.max(LEAST_SLOPE, slope - shorter * steps[0]);
    start -= shorter * steps[1];
    if (Math.abs(steps[0]) + Math.abs(steps[1]) < 1e-6) break;
  }
  return { slope, start };
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
