import { IANAZone } from 'luxon';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The clocks on the walls of a time zone. Moments are ms since 1970, wall-clock times the same as if they were UTC. */
export class WallClock {
  private readonly zone: IANAZone;

  constructor(timezone: string) {
    this.zone = IANAZone.create(timezone);
  }

  /** How far the clocks are ahead of UTC at a moment, in ms; NaN where there is no such zone. */
  offset(moment: number): number {
    return this.zone.offset(moment) * MINUTE_MS;
  }

  /** When the clocks show a time, in order: twice where they are set back over it, never where they are set forward. */
  moments(wall: number): number[] {
    // One of these offsets holds at that time.
    const before = this.offset(wall - DAY_MS);
    const after = this.offset(wall + DAY_MS);
    if (before === after) return [wall - before];
    return [wall - before, wall - after]
      .filter((moment) => moment + this.offset(moment) === wall)
      .sort((left, right) => left - right);
  }

  /** The first moment behind a time that the clocks skip. */
  afterGap(wall: number): number {
    const after = this.offset(wall + DAY_MS);
    return this.change(wall - after, wall - this.offset(wall - DAY_MS), after);
  }

  /** The first moment in `(from, to]` at which `offset` holds, where it does from some moment on. */
  change(from: number, to: number, offset: number): number {
    let [low, high] = [from, to];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offset(middle) === offset) high = middle;
      else low = middle;
    }
    return high;
  }
}
