/** A stream of pseudo-random numbers: the same seed gives the same data. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b) >>> 0;
  }

  /** From 0 (included) to 1 (excluded); mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** A number from `low` to `high`, small ones far more often (the square of an even distribution). */
  skewed(low: number, high: number): number {
    const value = this.next();
    return low + (high - low) * value * value;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Any of them, evenly. */
  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }
}

const SLOTS = 4_096;

/**
 * Draws items unevenly in constant time. The share of an item is rounded to 1/4096.
 *
 * @param weights one per item, any scale
 */
export function drawer<T>(items: readonly T[], weights: readonly number[]): (random: Random) => T {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const slots: T[] = [];
  let reached = 0;
  items.forEach((item, index) => {
    reached += weights[index] ?? 0;
    const end = Math.round((reached / sum) * SLOTS);
    while (slots.length < end) slots.push(item);
  });
  return (random) => random.of(slots);
}

/**
 * Draws words as language does: the commonest first, the share of the next ones falling with their rank (Zipf-Mandelbrot).
 *
 * @param flatness how many ranks the fall is put off by; larger = more even
 */
export function zipf<T>(items: readonly T[], flatness: number): (random: Random) => T {
  return drawer(
    items,
    items.map((_, rank) => 1 / (rank + 1 + flatness)),
  );
}
