import Big from 'big.js';
import { minorDigits } from '../../../platform/money/currency';
import type { Discount, TaxMode } from '../quote-values';

/** What of an item its amounts follow from. Decimals of at most four digits behind the point, none below 0. */
export interface Line {
  quantity: number;
  unit_price: number;
  discount_percent: number;
  tax_rate: number;
}

/** Amounts of an item in minor units. `subtotal` - `discount` + `tax` = `total`. */
export interface LineAmounts {
  /** Price after the discount of the item, as prices are given (with tax in the mode `inclusive`). */
  price: bigint;
  /** Its share of the discount on the whole quote, likewise. */
  share: bigint;
  /** `price` without tax. */
  subtotal: bigint;
  /** `share` without tax. */
  discount: bigint;
  tax: bigint;
  /** What is to be paid. */
  total: bigint;
}

/** What is taxed at one rate, and the tax on it, in minor units. */
export interface TaxGroup {
  /** Percent. */
  rate: number;
  net: bigint;
  tax: bigint;
}

export interface QuoteAmounts {
  lines: LineAmounts[];
  /** The sums of the lines, nothing else. */
  totals: LineAmounts;
  /** By rate, the lowest first. */
  taxes: TaxGroup[];
}

/** Decimals are counted in ten-thousandths. */
const SCALE = 10_000n;
const HUNDRED_PERCENT = 100n * SCALE;

/**
 * Works out the amounts of a quote in whole minor units of its currency, exactly: no binary fraction takes part.
 *
 * 1. The price of a line is quantity × unit price × (100 % - its discount), rounded half up, once.
 * 2. The discount on the quote, a percentage of the sum of the prices (rounded half up) or an amount, is at most that
 *    sum. It is shared out to the lines in proportion to their prices by largest remainders (Hamilton's method), so
 *    that the shares add up to it. Among equal remainders the larger price comes first, then the higher rate of tax,
 *    so that the totals do not depend on the order of the lines.
 * 3. The tax of a line is on what is left of it, rounded half up: added in the mode `exclusive`; in the mode `inclusive`
 *    the part rate / (100 + rate) of it, so that net + tax is what was to be paid, exactly.
 * 4. Totals are the sums of the lines.
 *
 * @param currency ISO 4217; decides how many decimals the minor unit has
 */
export function quoteAmounts(
  lines: readonly Line[],
  discount: Discount | null,
  mode: TaxMode,
  currency: string,
): QuoteAmounts {
  const coins = 10n ** BigInt(minorDigits(currency));
  const prices = lines.map((line) => priceOf(line, coins));
  const rates = lines.map((line) => scaled(line.tax_rate));
  const shares = allocate(discountOf(discount, sum(prices), coins), prices, rates);
  const amounts = prices.map((price, index) => lineAmounts(price, shares[index] ?? 0n, rates[index] ?? 0n, mode));
  return { lines: amounts, totals: totalsOf(amounts), taxes: taxesOf(lines, amounts) };
}

/**
 * Shares `total` out in proportion to the weights: whole numbers that add up to it, none larger than its weight.
 *
 * @param total at most the sum of the weights
 * @param ranks who comes first among equal remainders and weights: the higher
 */
export function allocate(total: bigint, weights: readonly bigint[], ranks: readonly bigint[]): bigint[] {
  const whole = sum(weights);
  if (whole === 0n) return weights.map(() => 0n);
  const shares = weights.map((weight) => (total * weight) / whole);
  const order = weights
    .map((weight, index) => ({ index, weight, rest: (total * weight) % whole, rank: ranks[index] ?? 0n }))
    .sort((a, b) => descending(a.rest, b.rest) || descending(a.weight, b.weight) || descending(a.rank, b.rank));
  const left = Number(total - sum(shares));
  for (const { index } of order.slice(0, left)) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares;
}

function priceOf({ quantity, unit_price, discount_percent }: Line, coins: bigint): bigint {
  const paid = HUNDRED_PERCENT - scaled(discount_percent);
  return halfUp(scaled(quantity) * scaled(unit_price) * paid * coins, SCALE * SCALE * HUNDRED_PERCENT);
}

function discountOf(discount: Discount | null, whole: bigint, coins: bigint): bigint {
  if (discount === null) return 0n;
  const value = scaled(discount.value);
  const asked = discount.type === 'percent' ? halfUp(whole * value, HUNDRED_PERCENT) : halfUp(value * coins, SCALE);
  return asked < whole ? asked : whole;
}

function lineAmounts(price: bigint, share: bigint, rate: bigint, mode: TaxMode): LineAmounts {
  const left = price - share;
  if (mode === 'exclusive') {
    const tax = halfUp(left * rate, HUNDRED_PERCENT);
    return { price, share, subtotal: price, discount: share, tax, total: left + tax };
  }
  const contained = (amount: bigint): bigint => halfUp(amount * rate, HUNDRED_PERCENT + rate);
  const tax = contained(left);
  const subtotal = price - contained(price);
  return { price, share, subtotal, discount: subtotal - (left - tax), tax, total: left };
}

function totalsOf(lines: readonly LineAmounts[]): LineAmounts {
  const of = (name: keyof LineAmounts): bigint => sum(lines.map((line) => line[name]));
  return {
    price: of('price'),
    share: of('share'),
    subtotal: of('subtotal'),
    discount: of('discount'),
    tax: of('tax'),
    total: of('total'),
  };
}

function taxesOf(lines: readonly Line[], amounts: readonly LineAmounts[]): TaxGroup[] {
  const groups = new Map<number, TaxGroup>();
  for (const [index, { tax_rate: rate }] of lines.entries()) {
    const group = groups.get(rate) ?? { rate, net: 0n, tax: 0n };
    const { subtotal = 0n, discount = 0n, tax = 0n } = amounts[index] ?? {};
    groups.set(rate, { rate, net: group.net + subtotal - discount, tax: group.tax + tax });
  }
  return [...groups.values()].sort((a, b) => a.rate - b.rate);
}

function scaled(decimal: number): bigint {
  return BigInt(new Big(decimal).times(Number(SCALE)).round(0, Big.roundHalfUp).toFixed(0));
}

/** n / d rounded half up; neither below 0. */
function halfUp(n: bigint, d: bigint): bigint {
  return (2n * n + d) / (2n * d);
}

function sum(numbers: readonly bigint[]): bigint {
  return numbers.reduce((total, number) => total + number, 0n);
}

function descending(a: bigint, b: bigint): number {
  return a === b ? 0 : a > b ? -1 : 1;
}
