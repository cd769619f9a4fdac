import fc from 'fast-check';
import { Products } from '../../src/areas/ai-engine/model/products';

/** Rows, a matrix and factors that stand apart from each other in their array. */
const anySum = fc
  .record({
    width: fc.integer({ min: 1, max: 40 }),
    count: fc.integer({ min: 0, max: 20 }),
    step: fc.integer({ min: 1, max: 3 }),
    rows: fc.integer({ min: 0, max: 5 }),
    outAt: fc.integer({ min: 0, max: 5 }),
    factorsAt: fc.integer({ min: 0, max: 5 }),
    apart: fc.integer({ min: 0, max: 3 }),
    nextFactors: fc.integer({ min: 1, max: 25 }),
  })
  .chain((sizes) => {
    const numbers = (length: number): fc.Arbitrary<number[]> =>
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }), {
        minLength: length,
        maxLength: length,
      });
    return fc.record({
      sizes: fc.constant(sizes),
      out: numbers(sizes.outAt + sizes.rows * (sizes.width + sizes.apart) + 3),
      factors: numbers(sizes.factorsAt + sizes.rows * sizes.nextFactors + sizes.step * sizes.count + 1),
      matrix: numbers(sizes.width * sizes.count),
    });
  });

describe('sums of products', () => {
  const added = (
    { sizes, out, factors, matrix }: typeof anySum extends fc.Arbitrary<infer Sum> ? Sum : never,
    isPlain: boolean,
  ): number[] => {
    const products = new Products(out.length + factors.length + matrix.length, isPlain);
    const [own, times, rows] = [out, factors, matrix].map((numbers) => {
      const array = products.array(numbers.length);
      array.set(numbers);
      return array;
    });
    if (!own || !times || !rows) throw new Error('There are three.');
    const { width, count, step, outAt, factorsAt, apart, nextFactors } = sizes;
    const to = { of: own, at: outAt, next: width + apart };
    products.add(sizes.rows, to, width, { of: times, at: factorsAt, next: nextFactors, step }, rows, count);
    expect([...times, ...rows]).toEqual([...factors, ...matrix]);
    return [...own];
  };

  it('are the same by the kernel and one by one, bit by bit, and change nothing beside the rows', () => {
    fc.assert(
      fc.property(anySum, (sum) => {
        const { sizes, out, factors, matrix } = sum;
        const expected = out.map((before, place) => {
          const next = sizes.width + sizes.apart;
          const own = Math.floor((place - sizes.outAt) / next);
          const at = place - sizes.outAt - own * next;
          if (own < 0 || own >= sizes.rows || at >= sizes.width) return before;
          let total = before;
          const from = sizes.factorsAt + own * sizes.nextFactors;
          for (let row = 0; row < sizes.count; row++)
            total += (factors[from + row * sizes.step] ?? NaN) * (matrix[row * sizes.width + at] ?? NaN);
          return total;
        });
        expect(added(sum, true)).toEqual(expected);
        expect(added(sum, false)).toEqual(expected);
      }),
    );
  });
});
