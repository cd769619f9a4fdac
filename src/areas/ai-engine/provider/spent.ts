import type { OpenAi } from '../settings/provider.values';

/** What a question to a model took: tokens as it counts them, and their cost by the prices of the settings; null without any. */
export interface Spent {
  tokensIn: number;
  tokensOut: number;
  cost: number | null;
}

export const NOTHING_SPENT: Spent = { tokensIn: 0, tokensOut: 0, cost: null };

/** A million tokens, of which prices are. */
const PRICED = 1_000_000;
/** A cost is told to so many parts of the currency: a question costs less than a cent. */
const PARTS = 1_000_000;

/** What tokens cost; null where there is no price of either kind. */
export function costOf(
  tokensIn: number,
  tokensOut: number,
  { input_price: own = null, output_price: other = null }: Pick<OpenAi, 'input_price' | 'output_price'>,
): number | null {
  if (own === null && other === null) return null;
  const cost = (tokensIn * (own ?? 0) + tokensOut * (other ?? 0)) / PRICED;
  return Math.round(cost * PARTS) / PARTS;
}

/** Both together; what is not known counts as nothing beside what is. */
export function spentTogether(one: Spent, other: Spent): Spent {
  const cost = one.cost === null && other.cost === null ? null : (one.cost ?? 0) + (other.cost ?? 0);
  return { tokensIn: one.tokensIn + other.tokensIn, tokensOut: one.tokensOut + other.tokensOut, cost };
}
