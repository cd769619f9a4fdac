/** Most admissions that are leased at once. */
const MOST = 64;
/** Requests that follow each other sooner than this, on average, are worth a lease. */
const BUSY_MS = 50;
/** Longest time that a lease is good for: what it holds is missing elsewhere. */
const MOST_MS = 250;

/** What Redis grants beyond the requests that were waiting. */
export interface Grant {
  admissions: number;
  /** The part of all time in which they are counted. */
  part: number;
  /** Until that part is over, in milliseconds. */
  leftMs: number;
}

/**
 * Admissions of one token that Redis has counted ahead, for requests of the next milliseconds: those need not ask. They are good
 * for requests within the part of the window in which they are counted, so none counts for a moment at which it is not used
 * up; what is left then is given back. Redis grants them only while most of the limit is free.
 */
export class Lease {
  private left: number;

  /**
   * @param first number of its first admission among those of the window
   * @param askedAt when Redis was asked, so not later than it granted; milliseconds as of `performance.now()`
   */
  constructor(
    private readonly limit: number,
    private readonly first: number,
    private readonly askedAt: number,
    private readonly grant: Grant,
  ) {
    this.left = grant.admissions;
  }

  /** The part in which it is counted. */
  get part(): number {
    return this.grant.part;
  }

  /** Admissions that are not used. */
  get unused(): number {
    return this.left;
  }

  /** Whether there is something to give back. */
  isOver(nowMs: number): boolean {
    return this.left > 0 && nowMs >= this.endsAt;
  }

  /** From when on it is good for nothing. */
  get endsAt(): number {
    return this.askedAt + Math.min(this.grant.leftMs, MOST_MS);
  }

  /** Uses one admission: its number among those of the window; null when there is none. */
  take(nowMs: number, limit: number): number | null {
    if (this.left === 0 || nowMs >= this.endsAt || limit !== this.limit) return null;
    return this.first + this.grant.admissions - this.left--;
  }

  /** How many to ask for next, by how many of these were of use. */
  nextSize(): number {
    const used = this.grant.admissions - this.left;
    return this.left === 0 ? Math.min(MOST, this.grant.admissions * 2) : used;
  }
}

/** How many to ask for where there was no lease. */
export function firstSize(sinceLastMs: number, waiting: number): number {
  return sinceLastMs < BUSY_MS * waiting ? Math.min(MOST, 4 * waiting) : 0;
}
