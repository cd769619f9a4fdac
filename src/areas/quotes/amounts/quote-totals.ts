import { fromMinorUnits } from '../../../platform/money/currency';
import { invalid } from '../../../platform/errors/api-error';
import { type Line, type LineAmounts, quoteAmounts } from './quote-money';
import type { Discount, TaxMode } from '../quote-values';

/** What a JSON number holds exactly with four decimals. */
const MOST = 99_999_999_999;

/** What of a quote its amounts follow from, besides its items. */
export interface Pricing {
  currency: string;
  discount: Discount | null;
  tax_mode: TaxMode;
}

/** Amounts in the currency's major unit, as columns of an item. */
export interface ItemAmounts {
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
}

/** The same as columns of a quote. */
export interface QuoteTotals {
  subtotal: number;
  discount_total: number;
  tax_total: number;
  total: number;
}

/** The amounts of a quote and of its items, in the order given. @throws ApiError 422 when they are too large to tell */
export function reckon(lines: readonly Line[], pricing: Pricing): { items: ItemAmounts[]; totals: QuoteTotals } {
  const { currency, discount, tax_mode } = pricing;
  const amounts = quoteAmounts(lines, discount, tax_mode, currency);
  const { subtotal, discount: discount_total, tax: tax_total, total } = columns(amounts.totals, currency);
  if (Math.max(subtotal, total) > MOST)
    invalid('items', 'max', `The total of a quote is at most ${MOST}.`, { max: MOST });
  return {
    items: amounts.lines.map((line) => columns(line, currency)),
    totals: { subtotal, discount_total, tax_total, total },
  };
}

function columns({ subtotal, discount, tax, total }: LineAmounts, currency: string): ItemAmounts {
  const major = (minor: bigint): number => Number(fromMinorUnits(minor, currency));
  return { subtotal: major(subtotal), discount: major(discount), tax: major(tax), total: major(total) };
}
