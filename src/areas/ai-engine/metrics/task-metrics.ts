import { expectedError, share } from '../model/evaluation';
import { type Task, TASKS } from '../tasks';

/** Predictions that are alike in everything that metrics tell apart, and how many there are. */
export interface Tally {
  task: Task;
  status: string;
  value: string | null;
  actual_value: string | null;
  was_correct: boolean | null;
  /** Tenth of confidence; null without one. */
  bin: number | null;
  n: number;
  /** Sum of their confidences. */
  confidence: number;
}

/** A share, with what it is made of. */
export interface Rate {
  value: number | null;
  numerator: number;
  denominator: number;
}

export interface Bin {
  bin: number;
  predicted: number | null;
  observed: number | null;
  n: number;
}

export interface TaskMetrics {
  task: Task;
  predictions: number;
  abstained_rate: Rate;
  coverage: Rate;
  accuracy: Rate;
  macro_f1: number | null;
  accepted_rate: Rate;
  corrected_rate: Rate;
  rejected_rate: Rate;
  confidence: { mean: number | null; distribution: number[]; calibration: Bin[]; ece: number | null };
}

const BINS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const SHOWN = new Set<string>(['pending', 'applied', 'accepted', 'corrected', 'rejected']);

/** What became of predictions, task by task; tasks without any are there, too, and all of their rates are of nothing. */
export function taskMetrics(tallies: readonly Tally[], asked: Task | null): TaskMetrics[] {
  return TASKS.filter((task) => asked === null || task === asked).map((task) =>
    metricsOf(
      task,
      tallies.filter((tally) => tally.task === task),
    ),
  );
}

function metricsOf(task: Task, tallies: readonly Tally[]): TaskMetrics {
  const all = count(tallies);
  const shown = tallies.filter(({ status }) => SHOWN.has(status));
  const judged = shown.filter(({ was_correct }) => was_correct !== null);
  const withStatus = (status: string): number => count(tallies.filter((tally) => tally.status === status));
  const reviewed = withStatus('accepted') + withStatus('corrected') + withStatus('rejected');
  const calibration = BINS.map((bin) => {
    const inside = judged.filter((tally) => tally.bin === bin);
    const n = count(inside);
    const sum = inside.reduce((total, { confidence }) => total + confidence, 0);
    return { bin: bin / 10, predicted: share(sum, n), observed: share(count(inside.filter(isRight)), n), n };
  });
  return {
    task,
    predictions: all,
    abstained_rate: rate(withStatus('abstained'), all),
    coverage: rate(count(shown), all),
    accuracy: rate(count(judged.filter(isRight)), count(judged)),
    macro_f1: macroF1(judged),
    accepted_rate: rate(withStatus('accepted'), reviewed),
    corrected_rate: rate(withStatus('corrected'), reviewed),
    rejected_rate: rate(withStatus('rejected'), reviewed),
    confidence: {
      mean: share(
        shown.reduce((sum, { confidence }) => sum + confidence, 0),
        count(shown),
      ),
      distribution: BINS.map((bin) => count(shown.filter((tally) => tally.bin === bin))),
      calibration,
      ece: expectedError(calibration, count(judged)),
    },
  };
}

export function rate(numerator: number, denominator: number): Rate {
  return { value: share(numerator, denominator), numerator, denominator };
}

const isRight = ({ was_correct }: Tally): boolean => was_correct === true;

function count(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { n }) => sum + n, 0);
}

/** Mean F1 of the values that occur as what was true. */
function macroF1(judged: readonly Tally[]): number | null {
  const values = [...new Set(judged.map(({ actual_value }) => actual_value).filter((value) => value !== null))];
  const sum = values.reduce((total, value) => {
    const said = count(judged.filter((tally) => tally.value === value));
    const actual = count(judged.filter((tally) => tally.actual_value === value));
    const right = count(judged.filter((tally) => tally.value === value && isRight(tally)));
    return total + (2 * right) / (said + actual);
  }, 0);
  return share(sum, values.length);
}
