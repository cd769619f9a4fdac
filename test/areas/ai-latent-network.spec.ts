import fc from 'fast-check';
import { classify, trainClassifier } from '../../src/areas/ai-engine/model/classifier';
import { explain } from '../../src/areas/ai-engine/model/explain';
import { LEAST_TEXTS } from '../../src/areas/ai-engine/model/latent-network';
import { learnSpace, placesIn } from '../../src/areas/ai-engine/model/latent-space';
import { fromFile, toFile } from '../../src/areas/ai-engine/model/model-file';
import {
  type Network,
  networkScores,
  networkSlopes,
  sideBySide,
  trainNetwork,
} from '../../src/areas/ai-engine/model/network';
import { seeded } from '../../src/areas/ai-engine/model/random';
import { countAlone, weigh } from '../../src/areas/ai-engine/model/tf-idf';
import { wordsOf } from '../../src/areas/ai-engine/model/text-features';
import { anyText } from '../support/any-text';
import { deskTexts } from '../support/desk-texts';

const classes = ['printers', 'passwords', 'invoices'];
const { texts, labels } = deskTexts((LEAST_TEXTS * 3) / 2);
const made = trainClassifier({ texts, labels, classes }, 0.6).classifier;

describe('a space of words', () => {
  const spaceOf = (some: readonly string[], dimensions: number) => {
    const counts = countAlone(some.map(wordsOf));
    const space = learnSpace(counts, some.length, dimensions);
    return { space, places: placesIn(space, weigh(counts, space.vocabulary), 0, some.length) };
  };

  it('puts texts near each other whose words come together elsewhere', () => {
    const { space } = spaceOf(texts, 3);
    const placeOf = (text: string): number[] => [
      ...placesIn(space, weigh(countAlone([wordsOf(text)]), space.vocabulary), 0, 1),
    ];
    const likeness = (one: string, other: string): number => {
      const [a, b] = [placeOf(one), placeOf(other)];
      const product = (x: number[], y: number[]): number => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
      return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
    };
    const like = 'please printer since paper help jam toner yesterday';
    const alike = likeness(like, 'the stripes my tray prints is again cartridge');
    expect(alike).toBeGreaterThan(0.5);
    expect(alike).toBeGreaterThan(likeness(like, 'the invoice my payment amount is again refund') + 0.5);
  });

  it('has texts in its middle, as far apart in each direction as in any other', () => {
    const { places } = spaceOf(texts, 8);
    for (let at = 0; at < 8; at++) {
      const own = texts.map((_, row) => places[row * 8 + at] ?? 0);
      const middle = own.reduce((sum, value) => sum + value, 0) / own.length;
      const spread = Math.sqrt(own.reduce((sum, value) => sum + (value - middle) ** 2, 0) / own.length);
      expect(middle).toBeCloseTo(0, 3);
      expect(spread).toBeCloseTo(0.5, 2);
    }
  });

  it.each([
    ['no words', ['', '', '']],
    ['fewer words than directions', ['one two', 'one two', 'two']],
    ['the same words', Array.from({ length: 50 }, () => 'always the same')],
  ])('is made of texts with %s, too', (_, some) => {
    const { space, places } = spaceOf(some, 10);
    expect([...space.places, ...places].every(Number.isFinite)).toBe(true);
  });
});

describe('a network', () => {
  const random = seeded(23);
  const count = 600;
  const rows = Float32Array.from({ length: 2 * count }, () => random() * 2 - 1);
  const truth = Int32Array.from({ length: count }, (_, row) =>
    Number((rows[2 * row] ?? 0) > 0 !== (rows[2 * row + 1] ?? 0) > 0),
  );
  const network = trainNetwork(rows, truth, 2, { hidden: 16, rounds: 60, batch: 32, pace: 0.02, seed: 5 });

  it('learns what no line parts', () => {
    const scores = new Float32Array(2);
    const right = [...truth].filter((label, row) => {
      networkScores(network, rows, row, scores);
      return (scores[1] ?? 0) > (scores[0] ?? 0) === (label === 1);
    });
    expect(right.length / count).toBeGreaterThan(0.95);
  });

  it('says on average what those say that stand side by side in it', () => {
    const other = trainNetwork(rows, truth, 2, { hidden: 5, rounds: 1, batch: 32, pace: 0.02, seed: 6 });
    const scoresOf = (each: Network): number[] => {
      const scores = new Float32Array(2);
      networkScores(each, rows, 9, scores);
      return [...scores];
    };
    const both = scoresOf(sideBySide([network, other]));
    const [one, two] = [scoresOf(network), scoresOf(other)];
    for (const k of [0, 1]) expect(both[k]).toBeCloseTo(((one[k] ?? 0) + (two[k] ?? 0)) / 2, 3);
    expect(one).not.toEqual(two);
  });

  it('tells how much a score grows with each input', () => {
    const own = (row: Float32Array): Float32Array => {
      const scores = new Float32Array(2);
      networkScores(network, row, 0, scores);
      return scores;
    };
    const row = Float32Array.of(0.37, -0.61);
    const slopes = networkSlopes(network, row);
    const little = 1 / 1024;
    for (let input = 0; input < 2; input++) {
      const moved = row.map((value, at) => value + (at === input ? little : 0));
      for (let k = 0; k < 2; k++)
        expect(((own(moved)[k] ?? 0) - (own(row)[k] ?? 0)) / little).toBeCloseTo(slopes[input * 2 + k] ?? NaN, 1);
    }
  });

  it('stays a number however many its inputs and classes are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 2, max: 5 }), (inputs, of) => {
        const some = Float32Array.from({ length: 7 * inputs }, (_, at) => ((at * 31) % 17) - 8);
        const own: Network = trainNetwork(
          some,
          Int32Array.from({ length: 7 }, (_, row) => row % of),
          of,
          { hidden: 3, rounds: 3, batch: 4, pace: 0.01, seed: 5 },
        );
        const scores = new Float32Array(of);
        networkScores(own, some, 6, scores);
        expect([...own.first, ...own.second, ...scores].every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a classifier of many texts', () => {
  it('has a network, and is the same after it was stored', () => {
    expect(made.latent).not.toBeNull();
    const file = toFile(made);
    const restored = fromFile(Buffer.concat([Buffer.alloc(3), file]).subarray(3));
    expect(restored && Buffer.from(toFile(restored)).equals(file)).toBe(true);
    const text = 'The printer on the second floor prints nothing but stripes';
    expect(restored && classify(restored, text)).toEqual(classify(made, text));
    expect(classify(made, text)[0]?.value).toBe('printers');
    expect(classify({ ...made, latent: null }, text)).not.toEqual(classify(made, text));
    expect(fromFile(file.subarray(0, file.length - 4))).toBeNull();
  });

  it('reads those that were made before there were networks', () => {
    const file = Buffer.from(toFile({ ...made, latent: null }));
    const length = file.readUInt32LE();
    const head = file.subarray(4, 4 + length).toString();
    const { latent, ...before } = JSON.parse(head) as Record<string, unknown>;
    expect(latent).toBeNull();
    const old = JSON.stringify({ ...before, version: 2 }).padEnd(length, ' ');
    const restored = fromFile(Buffer.concat([file.subarray(0, 4), Buffer.from(old), file.subarray(4 + length)]));
    expect(restored && classify(restored, texts[0] ?? '')).toEqual(classify({ ...made, latent: null }, texts[0] ?? ''));
  });

  it('answers probabilities whatever the text is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const likely = classify(made, text);
        expect(likely.reduce((sum, { confidence }) => sum + confidence, 0)).toBeCloseTo(1, 4);
        expect(likely.every(({ confidence }) => confidence >= 0 && confidence <= 1)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('names words that spoke for what it said, those that spoke to the network among them', () => {
    const [first] = explain(made, 'my printer has a paper jam again', 'printers');
    const weights = (classifier: typeof made): number[] =>
      explain(classifier, 'my printer has a paper jam again', 'printers').map(({ weight }) => weight);
    expect(['printer', 'paper', 'jam']).toContain(first?.token);
    expect(weights(made)).not.toEqual(weights({ ...made, latent: null }));
  });
});
