/** One prediction beside what was true. */
export interface Judged {
  /** Place of the predicted class, and of the true one; -1 where that is none of the classes. */
  predicted: number;
  actual: number;
  confidence: number;
}

/** Predictions of about the same confidence: what it said on average, and how many were right. */
export interface CalibrationBin {
  /** Lower end, from 0 to 0.9. */
  bin: number;
  predicted: number | null;
  observed: number | null;
  n: number;
}

/** How good predictions are, as `GET /ai-engine/models` tells it; figures are null where nothing was judged. */
export interface Evaluation {
  n: number;
  accuracy: number | null;
  weighted_f1: number | null;
  macro_f1: number | null;
  ece: number | null;
  calibration: CalibrationBin[];
  /** Those at or above the confidence that answers need. */
  answered: { confidence: number; coverage: number | null; accuracy: number | null };
}

const BINS = 10;

/** @param threshold confidence from which a prediction counts as an answer */
export function evaluate(judged: readonly Judged[], threshold: number): Evaluation {
  const calibration = calibrationOf(judged);
  const { weighted, macro } = f1(judged);
  const answered = judged.filter(({ confidence }) => confidence >= threshold);
  return {
    n: judged.length,
    accuracy: share(judged.filter(isRight).length, judged.length),
    weighted_f1: weighted,
    macro_f1: macro,
    ece: expectedError(calibration, judged.length),
    calibration,
    answered: {
      confidence: threshold,
      coverage: share(answered.length, judged.length),
      accuracy: share(answered.filter(isRight).length, answered.length),
    },
  };
}

/** Ten bins of confidence. */
export function calibrationOf(
  judged: readonly Pick<Judged, 'predicted' | 'actual' | 'confidence'>[],
): CalibrationBin[] {
  return Array.from({ length: BINS }, (_, index) => {
    const inside = judged.filter(({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === index);
    const sum = inside.reduce((total, { confidence }) => total + confidence, 0);
    return {
      bin: index / BINS,
      predicted: share(sum, inside.length),
      observed: share(inside.filter(isRight).length, inside.length),
      n: inside.length,
    };
  });
}

/** Expected calibration error: how far confidence is from what was right, over the bins. */
export function expectedError(bins: readonly CalibrationBin[], total: number): number | null {
  const sum = bins.reduce(
    (error, { n, predicted, observed }) => error + n * Math.abs((predicted ?? 0) - (observed ?? 0)),
    0,
  );
  return share(sum, total);
}

/** A share, to four decimals; null of nothing. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}

function isRight({ predicted, actual }: Pick<Judged, 'predicted' | 'actual'>): boolean {
  return predicted === actual;
}

/** F1 over the classes that occur: each by how often it is true, and all alike. */
function f1(judged: readonly Judged[]): { weighted: number | null; macro: number | null } {
  const classes = [...new Set(judged.map(({ actual }) => actual))];
  const figures = classes.map((actual) => {
    const support = judged.filter((each) => each.actual === actual).length;
    const right = judged.filter((each) => each.actual === actual && isRight(each)).length;
    const said = judged.filter(({ predicted }) => predicted === actual).length;
    return { support, value: (2 * right) / (support + said) };
  });
  const weighted = figures.reduce((sum, { support, value }) => sum + support * value, 0);
  const macro = figures.reduce((sum, { value }) => sum + value, 0);
  return { weighted: share(weighted, judged.length), macro: share(macro, classes.length) };
}
