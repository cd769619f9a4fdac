import fc from 'fast-check';
import { deltaOf, RATES, type Rates } from '../../src/areas/ai-engine/metrics/conversation-metrics';
import { rate, type Tally, taskMetrics } from '../../src/areas/ai-engine/metrics/task-metrics';
import { type Blend, blended, learnBlend } from '../../src/areas/ai-engine/model/blend';
import { calibrationOf, evaluate, expectedError } from '../../src/areas/ai-engine/model/evaluation';
import { heldOutLast } from '../../src/areas/ai-engine/model/held-out';
import { chance, cutOf, lineOf, NEVER, type Scored } from '../../src/areas/ai-engine/model/platt';
import { evaluateTags } from '../../src/areas/ai-engine/model/tag-evaluation';
import { costOf, spentTogether } from '../../src/areas/ai-engine/provider/spent';
import { TASKS } from '../../src/areas/ai-engine/tasks';
import { hasDrifted, LEAST_JUDGED } from '../../src/areas/ai-engine/training/drift';
import { sufficient, sufficientTags } from '../../src/areas/ai-engine/training/training-data';
import { anyText } from '../support/any-text';

const number = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
const share = number(0, 1);
const scored: fc.Arbitrary<Scored[]> = fc.array(fc.record({ score: number(-20, 20), isRight: fc.boolean() }), {
  maxLength: 60,
});

describe('scores as probabilities', () => {
  it('never fall, are between 0 and 1, and are as high on average as what was so', () => {
    fc.assert(
      fc.property(scored, fc.array(number(-50, 50), { maxLength: 10 }), (given, others) => {
        const { slope, start } = lineOf(given);
        expect(slope).toBeGreaterThan(0);
        const said = [...others].sort((one, other) => one - other).map((score) => chance(slope * score + start));
        expect(said).toEqual([...said].sort((one, other) => one - other));
        expect(said.every((each) => each >= 0 && each <= 1)).toBe(true);
        // The line is where its own mean is that of the targets: a share, drawn to the middle by one of each.
        const right = given.filter(({ isRight }) => isRight).length;
        const [high, low] = [(right + 1) / (right + 2), 1 / (given.length - right + 2)];
        const target = right * high + (given.length - right) * low;
        const sum = given.reduce((total, { score }) => total + chance(slope * score + start), 0);
        expect(Math.abs(sum - target)).toBeLessThan(0.001 * Math.max(1, given.length));
      }),
    );
  });

  it('are the other way round where what is right is swapped and scores are', () => {
    fc.assert(
      fc.property(scored, number(-20, 20), (given, score) => {
        const mirrored = given.map((each) => ({ score: -each.score, isRight: !each.isRight }));
        const [one, other] = [lineOf(given), lineOf(mirrored)];
        expect(chance(one.slope * score + one.start)).toBeCloseTo(1 - chance(-other.slope * score + other.start), 5);
      }),
    );
  });

  it('are said from where on enough was right, with one of each added, where F1 is best; never where that is nowhere', () => {
    // Places that probabilities tell apart.
    const near = fc.integer({ min: -20, max: 20 }).map((n) => n / 4);
    const given = fc.array(fc.record({ score: near, isRight: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(given, share, (scores, wanted) => {
        const line = lineOf(scores);
        const saidFrom = (least: number): Scored[] =>
          scores.filter(({ score }) => chance(line.slope * score + line.start) >= least);
        const rightIn = (said: readonly Scored[]): number => said.filter(({ isRight }) => isRight).length;
        const isEnough = (said: readonly Scored[]): boolean => (rightIn(said) + 1) / (said.length + 2) >= wanted;
        const f1 = (said: readonly Scored[]): number => (2 * rightIn(said)) / (rightIn(scores) + said.length || 1);
        const cut = cutOf(scores, line, wanted);
        const others = scores.map(({ score }) => saidFrom(chance(line.slope * score + line.start))).filter(isEnough);
        const best = Math.max(0, ...others.map(f1));
        expect(cut === NEVER).toBe(best === 0);
        if (cut === NEVER) return;
        expect(isEnough(saidFrom(cut))).toBe(true);
        expect(f1(saidFrom(cut))).toBeCloseTo(best, 9);
      }),
    );
  });
});

describe('a blend', () => {
  const rows = fc.array(
    fc.tuple(fc.array(number(-5, 5), { minLength: 6, maxLength: 6 }), fc.integer({ min: -1, max: 2 })),
    {
      minLength: 1,
      maxLength: 30,
    },
  );

  it('makes probabilities of any scores, and learns from those texts alone that are of a class', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const members = [0, 1].map((at) =>
          Float32Array.from(given.flatMap(([scores]) => scores.slice(at * 3, at * 3 + 3))),
        );
        const labels = Int32Array.from(given, ([, label]) => label);
        const places = [...labels.keys()];
        const blend = learnBlend({ classes: 3, members }, labels, places);
        for (const row of places) {
          const said = blended({ classes: 3, members }, blend, row);
          expect(said.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 4);
          expect(said.every((each) => each >= 0 && each <= 1)).toBe(true);
        }
        const known = places.filter((row) => (labels[row] ?? -1) >= 0);
        expect(learnBlend({ classes: 3, members }, labels, known)).toEqual(blend);
      }),
      { numRuns: 20 },
    );
    const none: Blend = learnBlend({ classes: 2, members: [new Float32Array(2)] }, Int32Array.of(-1), [0]);
    expect([...none.weights, ...none.biases]).toEqual([1, 0, 0]);
  });
});

describe('how good something is', () => {
  const judged = fc.array(
    fc.record({
      predicted: fc.integer({ min: 0, max: 3 }),
      actual: fc.integer({ min: -1, max: 3 }),
      confidence: share,
    }),
    { maxLength: 60 },
  );
  const inRange = (each: number | null): boolean => each === null || (each >= 0 && each <= 1);

  it('is told by shares, of bins that have everything once', () => {
    fc.assert(
      fc.property(judged, share, (given, threshold) => {
        const told = evaluate(given, threshold);
        const figures = [
          told.accuracy,
          told.weighted_f1,
          told.macro_f1,
          told.ece,
          told.answered.coverage,
          told.answered.accuracy,
        ];
        expect(figures.every(inRange)).toBe(true);
        const bins = calibrationOf(given);
        expect(bins.reduce((sum, { n }) => sum + n, 0)).toBe(given.length);
        for (const { bin, predicted, n } of bins) {
          expect(predicted === null).toBe(n === 0);
          if (predicted !== null) expect(predicted >= bin - 1e-3 && predicted <= bin + 0.1 + 1e-3).toBe(true);
        }
        expect(told.ece === null).toBe(given.length === 0);
      }),
    );
    expect(expectedError([{ bin: 0.9, predicted: 0.95, observed: 0.95, n: 7 }], 7)).toBe(0);
  });

  it('is told of tags, too: all of it right where exactly the tags of each text are said', () => {
    const judgedTexts = fc.array(
      fc.record({
        actual: fc.uniqueArray(fc.integer({ min: 0, max: 2 })),
        likely: fc.array(fc.record({ confidence: share, isSaid: fc.boolean() }), { minLength: 3, maxLength: 3 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(judgedTexts, share, (given, confidence) => {
        const told = evaluateTags(given, 3, confidence);
        expect(told.n).toBe(given.length);
        expect([told.accuracy, told.weighted_f1, told.macro_f1, told.ece, told.answered.accuracy].every(inRange)).toBe(
          true,
        );
        const perfect = given.map(({ actual, likely }) => ({
          actual,
          likely: likely.map((each, tag) => ({ ...each, isSaid: actual.includes(tag) })),
        }));
        const all = evaluateTags(perfect, 3, confidence);
        const having = given.filter(({ actual }) => actual.length > 0).length;
        expect(all.answered.accuracy).toBe(having === 0 ? null : 1);
        expect([all.weighted_f1, all.macro_f1]).toEqual(having === 0 ? [null, null] : [1, 1]);
        const silent = evaluateTags(
          given.map((each) => ({ ...each, likely: each.likely.map((one) => ({ ...one, isSaid: false })) })),
          3,
          confidence,
        );
        expect([silent.answered.accuracy, silent.weighted_f1 ?? 0]).toEqual([null, 0]);
      }),
    );
  });

  it('is counted of predictions so that no share has more parts than its whole, and each is somewhere', () => {
    const tally: fc.Arbitrary<Tally> = fc.record({
      task: fc.constantFrom(...TASKS),
      status: fc.constantFrom('pending', 'applied', 'accepted', 'corrected', 'rejected', 'abstained'),
      value: fc.constantFrom('a', 'b', null),
      actual_value: fc.constantFrom('a', 'b', null),
      was_correct: fc.constantFrom(true, false, null),
      bin: fc.integer({ min: 0, max: 9 }),
      n: fc.integer({ min: 1, max: 50 }),
      confidence: fc.constant(0),
    });
    fc.assert(
      fc.property(fc.array(tally, { maxLength: 20 }), (given) => {
        const told = taskMetrics(
          given.map((each) => {
            // Right is what was true; of what nobody said it is not known, unless somebody said that it was wrong.
            const { value, actual_value: actual } = each;
            const was_correct = actual === null ? (each.was_correct === false ? false : null) : value === actual;
            return { ...each, was_correct, confidence: (each.n * (each.bin ?? 0)) / 10 };
          }),
          null,
        );
        expect(told.map(({ task }) => task)).toEqual([...TASKS]);
        for (const each of told) {
          for (const one of [
            each.abstained_rate,
            each.coverage,
            each.accuracy,
            each.accepted_rate,
            each.corrected_rate,
            each.rejected_rate,
          ]) {
            expect(one.numerator).toBeLessThanOrEqual(one.denominator);
            expect(one.value === null).toBe(one.denominator === 0);
          }
          expect(each.abstained_rate.numerator + each.coverage.numerator).toBe(each.predictions);
          expect(each.confidence.distribution.reduce((sum, n) => sum + n, 0)).toBe(each.coverage.numerator);
          expect([each.confidence.ece, each.macro_f1].every(inRange)).toBe(true);
        }
      }),
    );
    const rates = (numerator: number): Rates =>
      Object.fromEntries(RATES.map((name) => [name, rate(numerator, 4)])) as Rates;
    expect(Object.values(deltaOf(rates(3), rates(1)))).toEqual(RATES.map(() => 0.5));
    const nothing = Object.fromEntries(RATES.map((name) => [name, rate(0, 0)])) as Rates;
    expect(Object.values(deltaOf(rates(3), nothing))).toEqual(RATES.map(() => null));
  });

  it('is worse than was told where chance hardly makes it so: never for more that are right, hardly ever by chance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 200 }), share, (n, some, told) => {
        const right = Math.min(n, some);
        if (hasDrifted({ n, right, told })) {
          expect(n).toBeGreaterThanOrEqual(LEAST_JUDGED);
          expect(right / n).toBeLessThan(told);
        } else if (right < n) expect(hasDrifted({ n, right: right + 1, told })).toBe(false);
      }),
    );
    expect(hasDrifted({ n: 200, right: 150, told: 0.9 })).toBe(true);
    expect(hasDrifted({ n: 200, right: 172, told: 0.9 })).toBe(false);
    expect(hasDrifted({ n: 60, right: 59, told: 1 })).toBe(false);
  });
});

describe('what there is to learn from', () => {
  const values = fc.array(fc.constantFrom('a', 'b', 'c', 'a,b', 'b,c'), { maxLength: 400 });

  it('keeps no class of less than 20, and is enough only from 200 of two on', () => {
    fc.assert(
      fc.property(values, (given) => {
        const data = { texts: given.map((value, at) => `${value} ${at}`), values: given };
        const { classes, reason, texts } = sufficient(data);
        expect(
          classes.every(
            ({ value, samples }) => samples >= 20 && given.filter((each) => each === value).length === samples,
          ),
        ).toBe(true);
        expect(texts).toHaveLength(classes.reduce((sum, { samples }) => sum + samples, 0));
        expect(reason === null).toBe(texts.length >= 200 && classes.length >= 2);
        const tags = sufficientTags(data);
        expect(tags.classes.every(({ samples }) => samples >= 20 && given.length - samples >= 20)).toBe(true);
        expect(tags.reason === null).toBe(given.length >= 200 && tags.classes.length > 0);
      }),
    );
  });

  it('is held out by what texts say: the same text is on one side alone, each is once', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.constantFrom('same', 'Same!')), { maxLength: 60 }), (texts) => {
        const { order, kept } = heldOutLast(texts);
        expect([...order].sort((one, other) => one - other)).toEqual([...texts.keys()]);
        const own = new Set(order.slice(0, kept).map((at) => texts[at]));
        expect(order.slice(kept).some((at) => own.has(texts[at]))).toBe(false);
      }),
    );
  });
});

it('counts what tokens cost, question by question or together', () => {
  const tokens = fc.nat(1_000_000);
  const price = fc.option(number(0, 1_000));
  fc.assert(
    fc.property(tokens, tokens, price, price, (tokensIn, tokensOut, input_price, output_price) => {
      const cost = costOf(tokensIn, tokensOut, { input_price, output_price });
      expect(cost === null).toBe(input_price === null && output_price === null);
      const spent = { tokensIn, tokensOut, cost };
      const both = spentTogether(spent, spent);
      expect(both.tokensIn + both.tokensOut).toBe(2 * (tokensIn + tokensOut));
      if (cost !== null) expect(both.cost).toBeCloseTo(2 * cost, 6);
    }),
  );
});
