import fc from 'fast-check';
import {
  type Network,
  networkScores,
  networkSlopes,
  sideBySide,
  trainBySight,
  trainNetwork,
} from '../../src/areas/ai-engine/model/network';
import { seeded } from '../../src/areas/ai-engine/model/random';

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

  it('tells how much scores, and sums of them, grow with each input', () => {
    const own = (row: Float32Array): Float32Array => {
      const scores = new Float32Array(2);
      networkScores(network, row, 0, scores);
      return scores;
    };
    const row = Float32Array.of(0.37, -0.61);
    const little = 1 / 1024;
    const slopes = [networkSlopes(network, row, [1, 0]), networkSlopes(network, row, [0, 1])];
    const difference = networkSlopes(network, row, [1, -0.5]);
    for (let input = 0; input < 2; input++) {
      const moved = row.map((value, at) => value + (at === input ? little : 0));
      for (let k = 0; k < 2; k++)
        expect(((own(moved)[k] ?? 0) - (own(row)[k] ?? 0)) / little).toBeCloseTo(slopes[k]?.[input] ?? NaN, 1);
      expect(difference[input]).toBeCloseTo((slopes[0]?.[input] ?? NaN) - 0.5 * (slopes[1]?.[input] ?? NaN), 3);
    }
  });

  it('moves what it sees down the slope of what is lost', () => {
    const points = Float64Array.from(rows);
    let moves = 0;
    const settings = { hidden: 16, rounds: 1, batch: 1, pace: 0, seed: 5 };
    const sight = {
      inputs: 2,
      show: (row: number, out: Float64Array, at: number): void => {
        out.set(points.subarray(2 * row, 2 * row + 2), at);
      },
      move: (row: number, slopes: Float64Array, at: number, left: number): void => {
        expect(left).toBeCloseTo(1 - moves++ / count, 6);
        for (const input of [0, 1])
          points[2 * row + input] = (points[2 * row + input] ?? 0) - 0.01 * (slopes[at + input] ?? 0);
      },
    };
    const still = trainBySight(sight, truth, 2, settings);
    const loss = (at: Float32Array, row: number): number => {
      const scores = new Float32Array(2);
      networkScores(still, at, row, scores);
      const [own = 0, other = 0] = truth[row] === 1 ? [...scores].reverse() : [...scores];
      return Math.log1p(Math.exp(other - own));
    };
    expect(moves).toBe(count);
    const after = Float32Array.from(points);
    const worse = [...truth.keys()].filter((row) => loss(after, row) > loss(rows, row) + 1e-6);
    expect(worse).toEqual([]);
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
