export const QUOTE_STATUSES = ['draft', 'sent', 'viewed', 'accepted', 'rejected', 'expired', 'cancelled'] as const;
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

/** Whether prices are without tax, which is added, or contain it. */
export const TAX_MODES = ['exclusive', 'inclusive'] as const;
export type TaxMode = (typeof TAX_MODES)[number];

export const DISCOUNT_TYPES = ['percent', 'amount'] as const;

/** A discount on the whole quote. */
export interface Discount {
  type: (typeof DISCOUNT_TYPES)[number];
  /** Percent, or an amount in the currency of the quote. */
  value: number;
}

/** Most items that a quote can have. */
export const MAX_ITEMS = 200;

/** Longest texts around the items, in characters. */
export const MAX_TEXT = 10_000;

/** Days that a quote is open for, unless it says otherwise. */
export const VALID_DAYS = 30;
