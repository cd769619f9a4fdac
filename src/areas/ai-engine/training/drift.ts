/** How many of a model's newest predictions were right, of those of which it is known, beside what it said of itself. */
export interface Seen {
  n: number;
  right: number;
  /** Share that was right of those that were held out when it was made, 0 to 1. */
  told: number;
}

/** Fewer say nothing. */
export const LEAST_JUDGED = 50;
/** The newest that are looked at. */
export const MOST_JUDGED = 200;
/** Standard errors that chance is given: further below is it about one time in a thousand. */
const BY_CHANCE = 3;

/** Whether a model is worse than it said by more than chance makes it (a share of n draws, one-sided). */
export function hasDrifted({ n, right, told }: Seen): boolean {
  if (n < LEAST_JUDGED) return false;
  // As if one more of each had been held out: who was always right then is not held to it for ever.
  const expected = (told * n + 1) / (n + 2);
  return right / n < expected - BY_CHANCE * Math.sqrt((expected * (1 - expected)) / n);
}
