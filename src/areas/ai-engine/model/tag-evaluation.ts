import { calibrationOf, type Evaluation, expectedError, share } from './evaluation';

/** A text, its tags, and of each tag how likely it was said to be. */
export interface JudgedText {
  actual: readonly number[];
  likely: readonly { confidence: number; isSaid: boolean }[];
}

/**
 * How good suggested tags are: accuracy and calibration of the likeliest tag of each text, F1 of the tags by what is said, and as answered
 * the texts that anything is said of, which is right where all of it is.
 */
export function evaluateTags(judged: readonly JudgedText[], classes: number, confidence: number): Evaluation {
  const best = judged.map(({ actual, likely }) => {
    const highest = Math.max(...likely.map((each) => each.confidence));
    const predicted = likely.findIndex((each) => each.confidence === highest);
    return { predicted, actual: actual.includes(predicted) ? predicted : -1, confidence: highest };
  });
  const calibration = calibrationOf(best);
  const said = judged.filter(({ likely }) => likely.some(({ isSaid }) => isSaid));
  const right = said.filter(({ actual, likely }) => likely.every(({ isSaid }, tag) => !isSaid || actual.includes(tag)));
  const { weighted, macro } = f1(judged, classes);
  return {
    n: judged.length,
    accuracy: share(best.filter(({ predicted, actual }) => predicted === actual).length, judged.length),
    weighted_f1: weighted,
    macro_f1: macro,
    ece: expectedError(calibration, judged.length),
    calibration,
    answered: { confidence, coverage: share(said.length, judged.length), accuracy: share(right.length, said.length) },
  };
}

/** F1 over the tags that occur: each by how often it is true, and all alike. */
function f1(judged: readonly JudgedText[], classes: number): { weighted: number | null; macro: number | null } {
  const figures = Array.from({ length: classes }, (_, tag) => {
    const support = judged.filter(({ actual }) => actual.includes(tag)).length;
    const said = judged.filter(({ likely }) => likely[tag]?.isSaid);
    const right = said.filter(({ actual }) => actual.includes(tag)).length;
    return { support, value: support === 0 ? 0 : (2 * right) / (support + said.length) };
  }).filter(({ support }) => support > 0);
  const all = figures.reduce((sum, { support }) => sum + support, 0);
  const weighted = figures.reduce((sum, { support, value }) => sum + support * value, 0);
  const macro = figures.reduce((sum, { value }) => sum + value, 0);
  return { weighted: share(weighted, all), macro: share(macro, figures.length) };
}
