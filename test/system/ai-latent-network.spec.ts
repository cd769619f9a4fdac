import fc from 'fast-check';
import { type Classifier, classify, trainClassifier } from '../../src/areas/ai-engine/model/classifier';
import { explain } from '../../src/areas/ai-engine/model/explain';
import { latentScores, LEAST_TEXTS, trainLatentNetworks } from '../../src/areas/ai-engine/model/latent-network';
import { learnSpace, moveWords, placesIn, putPlace } from '../../src/areas/ai-engine/model/latent-space';
import { fromFile, toFile } from '../../src/areas/ai-engine/model/model-file';
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

describe('words that move', () => {
  const counts = countAlone(texts.map(wordsOf));
  const space = learnSpace(counts, texts.length, 5);
  const rows = weigh(counts, space.vocabulary);

  it('take their text as far as they weigh in it, and leave the others', () => {
    const moved = { ...space, places: space.places.slice() };
    const slopes = Float64Array.of(9, 1, -2, 0, 0.5, 3);
    const before = new Float64Array(5);
    const after = new Float64Array(6);
    putPlace(moved, rows, 7, before, 0);
    moveWords(moved, rows, 7, { slopes, offset: 1, pace: 0.1 });
    putPlace(moved, rows, 7, after, 1);
    const own = rows.columns.subarray(rows.starts[7], rows.starts[8]);
    const weight = rows.values.subarray(rows.starts[7], rows.starts[8]).reduce((sum, value) => sum + value ** 2, 0);
    for (let at = 0; at < 5; at++)
      expect((after[at + 1] ?? 0) - (before[at] ?? 0)).toBeCloseTo(-0.1 * weight * (slopes[at + 1] ?? 0), 4);
    const others = [...moved.places.keys()].filter((place) => moved.places[place] !== space.places[place]);
    expect(others.every((place) => own.includes(Math.floor(place / 5)))).toBe(true);
  });

  it('are seen at the same place one by one and all at once', () => {
    const all = placesIn(space, rows, 3, 9);
    const one = new Float32Array(5);
    putPlace(space, rows, 8, one, 0);
    expect([...one]).toEqual([...all.subarray(25)]);
  });

  it.each([
    ['one word of two', 1, 2],
    ['two words of six', 2, 6],
    ['a hundred words of nine', 100, 9],
  ])('do not run away where texts are %s and nothing tells them apart', (_, length, words) => {
    const random = seeded(31);
    const some = Array.from({ length: LEAST_TEXTS }, () =>
      Array.from({ length }, () => `w${Math.floor(random() * words)}`),
    );
    const truth = Int32Array.from(some, () => Math.floor(random() * 3));
    const few = countAlone(some);
    for (const each of trainLatentNetworks(few, truth, 3)) {
      const scores = latentScores(each, few, 0, 100);
      expect(Math.max(...scores.map(Math.abs))).toBeLessThan(50);
    }
  });

  it('make networks that tell texts apart which they have not seen, the same each time', () => {
    const kept = Math.floor(texts.length * 0.8);
    const made = (): Float32Array[] =>
      trainLatentNetworks(counts, labels.subarray(0, kept), 3).map((each) =>
        latentScores(each, counts, kept, texts.length),
      );
    const scores = made();
    expect(made()).toEqual(scores);
    for (const own of scores) {
      const right = [...labels.subarray(kept)].filter((label, row) => {
        const said = [...own.subarray(row * 3, row * 3 + 3)];
        return said.indexOf(Math.max(...said)) === label;
      });
      expect(right.length / (texts.length - kept)).toBeGreaterThan(0.9);
    }
  });
});

describe('a classifier of many texts', () => {
  it('has three networks of one vocabulary, and is the same after it was stored', () => {
    expect(made.latent).toHaveLength(3);
    expect(new Set(made.latent.map(({ space }) => space.vocabulary)).size).toBe(1);
    const file = toFile(made);
    const restored = fromFile(Buffer.concat([Buffer.alloc(3), file]).subarray(3));
    expect(restored && Buffer.from(toFile(restored)).equals(file)).toBe(true);
    const text = 'The printer on the second floor prints nothing but stripes';
    expect(restored && classify(restored, text)).toEqual(classify(made, text));
    expect(classify(made, text)[0]?.value).toBe('printers');
    const fewer = made.latent.map((_, left) => classify({ ...made, latent: made.latent.slice(left + 1) }, text));
    for (const each of fewer) expect(each).not.toEqual(classify(made, text));
    expect(fromFile(file.subarray(0, file.length - 4))).toBeNull();
  });

  describe('reads those that were made before', () => {
    type Head = Record<string, unknown>;
    const text = texts[0] ?? '';
    /** A file with the head that it would have had then. */
    const written = (classifier: Classifier, headThen: (now: Head) => Head): Buffer => {
      const file = Buffer.from(toFile(classifier));
      const length = file.readUInt32LE();
      const now = JSON.parse(file.subarray(4, 4 + length).toString()) as Head;
      const then = JSON.stringify(headThen(now)).padEnd(length, ' ');
      return Buffer.concat([file.subarray(0, 4), Buffer.from(then), file.subarray(4 + length)]);
    };

    it('there were networks', () => {
      const without = { ...made, latent: [] };
      const restored = fromFile(
        written(without, ({ latent, ...others }) => {
          expect(latent).toBeNull();
          return { ...others, version: 2 };
        }),
      );
      expect(restored && classify(restored, text)).toEqual(classify(without, text));
    });

    it('there was more than one', () => {
      const withOne = { ...made, latent: made.latent.slice(0, 1) };
      const restored = fromFile(
        written(withOne, (now) => {
          const { words, networks } = now.latent as { words: number; networks: Head[] };
          return { ...now, version: 3, latent: { words, ...networks[0] } };
        }),
      );
      expect(restored?.latent).toHaveLength(1);
      expect(restored && classify(restored, text)).toEqual(classify(withOne, text));
    });

    it('there was none, by versions that told of networks', () => {
      const without = { ...made, latent: [] };
      const restored = fromFile(written(without, (now) => ({ ...now, version: 3 })));
      expect(restored && classify(restored, text)).toEqual(classify(without, text));
    });
  });

  it.each([
    ['no list of networks', { words: 3, networks: 'none' }],
    ['a network without a size', { words: 3, networks: [{ dimensions: 100 }] }],
    ['no number of words', { networks: [] }],
  ])('is not read of a head with %s', (_, latent) => {
    const { classes: names, least } = made;
    const head = JSON.stringify({ version: 4, classes: names, characters: true, features: 0, least, latent });
    const text = Buffer.from(head.padEnd(head.length + 4 - (head.length % 4), ' '));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    expect(fromFile(Buffer.concat([length, text, Buffer.alloc(4 * classes.length)]))).toBeNull();
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
    const weights = (classifier: Classifier): number[] =>
      explain(classifier, 'my printer has a paper jam again', 'printers').map(({ weight }) => weight);
    expect(['printer', 'paper', 'jam']).toContain(first?.token);
    for (const [left] of made.latent.entries())
      expect(weights(made)).not.toEqual(weights({ ...made, latent: made.latent.slice(left + 1) }));
  });
});
