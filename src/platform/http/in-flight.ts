/**
 * What is under way, each in a place of its own until it is given back. Not a `Map` or `Set`: V8 makes their tables anew every few dozen
 * comings and goings, and each old table keeps what was in it and knows the next one. Once one of them has become old, all that ever goes
 * through is kept until the next full collection, however soon it is done with.
 */
export class InFlight<T extends object> {
  private readonly places: (T | null)[] = [];
  private readonly free: number[] = [];

  /** Answers the place, to be given back. */
  enter(one: T): number {
    const place = this.free.pop() ?? this.places.length;
    this.places[place] = one;
    return place;
  }

  /** @param place negative for what never entered */
  leave(place: number): void {
    if (place < 0) return;
    this.places[place] = null;
    this.free.push(place);
  }

  /** All of them, in no order. */
  *[Symbol.iterator](): Generator<T> {
    for (const one of this.places) if (one) yield one;
  }
}
