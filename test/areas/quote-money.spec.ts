import fc from 'fast-check';
import { minorDigits } from '../../src/platform/money/currency';
import { allocate, type Line, type LineAmounts, quoteAmounts } from '../../src/areas/quotes/amounts/quote-money';
import type { Discount, TaxMode } from '../../src/areas/quotes/quote-values';

/** A decimal with so many digits behind the point, as JSON would bring it. */
const decimal = (max: number, digits: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: max * 10 ** digits }).map((units) => Number((units / 10 ** digits).toFixed(digits)));

const currencies = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF');
const modes = fc.constantFrom<TaxMode>('exclusive', 'inclusive');
const line: fc.Arbitrary<Line> = fc.record({
  quantity: fc.oneof(decimal(50, 4), fc.integer({ min: 1, max: 1000 })),
  unit_price: fc.oneof(decimal(2_000, 4), decimal(100_000, 2)),
  discount_percent: fc.oneof(fc.constant(0), decimal(100, 2), fc.constant(100)),
  tax_rate: fc.oneof(fc.constantFrom(0, 7, 19, 8.1, 5.5), decimal(100, 4)),
});
const lines = fc.array(line, { maxLength: 25 });
const discounts: fc.Arbitrary<Discount | null> = fc.oneof(
  fc.constant(null),
  decimal(100, 4).map((value) => ({ type: 'percent' as const, value })),
  fc.integer({ min: 0, max: 500_000 }).map((value) => ({ type: 'amount' as const, value })),
);

const NAMES = ['price', 'share', 'subtotal', 'discount', 'tax', 'total'] as const;
const line1 = (unit_price: number, tax_rate = 0, more: Partial<Line> = {}): Line => ({
  quantity: 1,
  unit_price,
  discount_percent: 0,
  tax_rate,
  ...more,
});

describe('the amounts of a quote', () => {
  it.each<[string, Line[], Discount | null, TaxMode, string, Partial<LineAmounts>]>([
    ['tax is added', [line1(100, 19)], null, 'exclusive', 'EUR', { subtotal: 10000n, tax: 1900n, total: 11900n }],
    ['tax is contained', [line1(119, 19)], null, 'inclusive', 'EUR', { subtotal: 10000n, tax: 1900n, total: 11900n }],
    ['half a cent goes up', [line1(0.005)], null, 'exclusive', 'EUR', { total: 1n }],
    ['1.005 is not 1.00499…', [line1(1.005)], null, 'exclusive', 'EUR', { total: 101n }],
    ['0.1 × 3 is 0.3', [line1(0.1, 0, { quantity: 3 })], null, 'exclusive', 'EUR', { total: 30n }],
    [
      'a line is rounded once',
      [line1(0.0149, 0, { quantity: 1, discount_percent: 50 })],
      null,
      'exclusive',
      'EUR',
      { total: 1n },
    ],
    ['yen have no decimals', [line1(99.5, 10)], null, 'exclusive', 'JPY', { subtotal: 100n, tax: 10n, total: 110n }],
    ['dinars have three', [line1(1.2345, 0)], null, 'exclusive', 'KWD', { total: 1235n }],
    ['each line is rounded', [line1(0.004), line1(0.004)], null, 'exclusive', 'EUR', { total: 0n }],
    [
      'tax is on what the discount leaves',
      [line1(100, 20)],
      { type: 'percent', value: 10 },
      'exclusive',
      'EUR',
      { subtotal: 10000n, discount: 1000n, tax: 1800n, total: 10800n },
    ],
    [
      'a discount on prices with tax takes its tax along',
      [line1(119, 19)],
      { type: 'amount', value: 11.9 },
      'inclusive',
      'EUR',
      { subtotal: 10000n, discount: 1000n, tax: 1710n, total: 10710n },
    ],
    [
      'a discount is never more than there is',
      [line1(5, 19)],
      { type: 'amount', value: 100 },
      'exclusive',
      'EUR',
      { subtotal: 500n, discount: 500n, tax: 0n, total: 0n },
    ],
    [
      'nothing costs nothing',
      [],
      { type: 'amount', value: 5 },
      'exclusive',
      'EUR',
      { subtotal: 0n, discount: 0n, total: 0n },
    ],
  ])('%s', (_name, items, discount, mode, currency, expected) => {
    expect(quoteAmounts(items, discount, mode, currency).totals).toMatchObject(expected);
  });

  it('groups taxes by rate', () => {
    const { taxes } = quoteAmounts([line1(10, 19), line1(20, 7), line1(30, 19)], null, 'exclusive', 'EUR');
    expect(taxes).toEqual([
      { rate: 7, net: 2000n, tax: 140n },
      { rate: 19, net: 4000n, tax: 760n },
    ]);
  });

  it('are the sums of the lines, none below zero, and add up', () => {
    fc.assert(
      fc.property(lines, discounts, modes, currencies, (items, discount, mode, currency) => {
        const { lines: each, totals, taxes } = quoteAmounts(items, discount, mode, currency);
        for (const name of NAMES) expect(totals[name]).toBe(each.reduce((sum, amounts) => sum + amounts[name], 0n));
        for (const amounts of [...each, totals]) {
          for (const name of NAMES) expect(amounts[name]).toBeGreaterThanOrEqual(0n);
          expect(amounts.subtotal - amounts.discount + amounts.tax).toBe(amounts.total);
          if (mode === 'inclusive') expect(amounts.total).toBe(amounts.price - amounts.share);
          else expect(amounts.subtotal).toBe(amounts.price);
        }
        expect(taxes.reduce((sum, { tax }) => sum + tax, 0n)).toBe(totals.tax);
        expect(taxes.reduce((sum, { net }) => sum + net, 0n)).toBe(totals.subtotal - totals.discount);
      }),
      { numRuns: 300 },
    );
  });

  it('do not depend on the order of the lines', () => {
    const shuffled = lines.chain((items) =>
      fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })),
    );
    fc.assert(
      fc.property(shuffled, discounts, modes, currencies, ([items, other], discount, mode, currency) => {
        expect(quoteAmounts(other, discount, mode, currency).totals).toEqual(
          quoteAmounts(items, discount, mode, currency).totals,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('agree with fractions worked out another way', () => {
    fc.assert(
      fc.property(lines, discounts, modes, currencies, (items, discount, mode, currency) => {
        const { lines: each, totals } = quoteAmounts(items, discount, mode, currency);
        const coin = 10n ** BigInt(minorDigits(currency));
        const prices = items.map((item) =>
          nearest(
            product(
              fraction(item.quantity),
              fraction(item.unit_price),
              minus({ n: 1n, d: 1n }, product(fraction(item.discount_percent), { n: 1n, d: 100n })),
              { n: coin, d: 1n },
            ),
          ),
        );
        expect(each.map(({ price }) => price)).toEqual(prices);
        const whole = prices.reduce((sum, price) => sum + price, 0n);
        const asked =
          discount === null
            ? 0n
            : discount.type === 'percent'
              ? nearest(product(fraction(discount.value), { n: whole, d: 100n }))
              : nearest(product(fraction(discount.value), { n: coin, d: 1n }));
        expect(totals.share).toBe(asked > whole ? whole : asked);
        for (const [index, amounts] of each.entries()) {
          // A share is the exact one, rounded down or up.
          const exact = whole === 0n ? { n: 0n, d: 1n } : { n: totals.share * amounts.price, d: whole };
          expect([exact.n / exact.d, (exact.n + exact.d - 1n) / exact.d]).toContain(amounts.share);
          const rate = product(fraction(items[index]?.tax_rate ?? 0), { n: 1n, d: 100n });
          const factor = mode === 'exclusive' ? rate : { n: rate.n, d: rate.d + rate.n };
          expect(amounts.tax).toBe(nearest(product(factor, { n: amounts.price - amounts.share, d: 1n })));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('sharing out', () => {
  it('gives out everything, by largest remainders', () => {
    expect(
      allocate(
        10n,
        [1n, 1n, 1n].map((weight) => weight * 10n),
        [0n, 0n, 0n],
      ),
    ).toEqual([4n, 3n, 3n]);
    expect(allocate(100n, [333n, 333n, 334n], [0n, 0n, 0n])).toEqual([33n, 33n, 34n]);
    expect(allocate(0n, [5n, 0n], [0n, 0n])).toEqual([0n, 0n]);
    expect(allocate(0n, [0n, 0n], [0n, 0n])).toEqual([0n, 0n]);
  });

  it('gives nobody more than their weight', () => {
    const weights = fc.array(fc.bigInt(0n, 10_000n), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(weights, fc.bigInt(0n, 10_000n), (each, percent) => {
        const whole = each.reduce((sum, weight) => sum + weight, 0n);
        const total = (whole * percent) / 10_000n;
        const shares = allocate(
          total,
          each,
          each.map(() => 0n),
        );
        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(total);
        for (const [index, share] of shares.entries()) expect(share).toBeLessThanOrEqual(each[index] ?? 0n);
      }),
    );
  });
});

/** Another way to the same numbers: fractions of the digits as they are written. */
interface Fraction {
  n: bigint;
  d: bigint;
}

function fraction(value: number): Fraction {
  const [whole = '0', digits = ''] = value.toFixed(4).split('.');
  return { n: BigInt(whole + digits), d: 10n ** BigInt(digits.length) };
}

function product(...factors: Fraction[]): Fraction {
  return factors.reduce((a, b) => ({ n: a.n * b.n, d: a.d * b.d }));
}

function minus(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.d - b.n * a.d, d: a.d * b.d };
}

function nearest({ n, d }: Fraction): bigint {
  const floor = n / d;
  return 2n * (n - floor * d) >= d ? floor + 1n : floor;
}
