import type { Pool } from 'pg';
import { current, currentWorkspaceId } from '../context/current';
import { ReadLane } from '../postgres/read-lane';
import type { Statement } from '../postgres/statement-batch';

/** Share of the pool that lanes hold. */
const SHARE = 0.25;
const MOST_LANES = 4;
/** Reads under way on one lane. */
const MOST_DEEP = 16;
/** A read that takes longer than this holds up nobody else: others stay away from its lane. */
const PATIENCE_MS = 5;

/**
 * A few connections of the pool that quick reads share, several at once on each (`ReadLane`): that spares both sides the
 * wake-ups and packets of one read at a time, and taking turns at the pool. Which lane a read takes, if any, is decided by
 * what is under way: where a read takes long, or many wait, the next goes through the pool instead, which is fair to workspaces.
 */
export class ReadLanes {
  private readonly lanes: ReadLane[] = [];
  private readonly most: number;
  /** Lanes that have ended against our will: PostgreSQL may be another one since, or an earlier state of it. */
  losses = 0;
  private opening = false;
  private closed = false;

  constructor(private readonly pool: Pool) {
    this.most = Math.min(MOST_LANES, Math.floor(pool.options.max * SHARE));
  }

  /**
   * The best lane for a read of the current workspace, which is the one where others like it wait to be sent; null for what is not quick, where no
   * lane is quick enough, and where the clock of the workspace is ahead.
   */
  take(statement: Statement): ReadLane | null {
    if (!statement.quick || current().clockAheadMs !== 0) return null;
    const workspaceId = currentWorkspaceId();
    const now = performance.now();
    let best: ReadLane | null = null;
    let least = Infinity;
    for (const lane of this.lanes) {
      const { depth, since } = lane;
      if (depth >= MOST_DEEP || (since !== null && now - since > PATIENCE_MS)) continue;
      if (statement.several && lane.isGathering(workspaceId, statement)) return lane;
      const cost = lane.isOf(workspaceId) ? depth : depth + 1;
      if (cost < least) [best, least] = [lane, cost];
    }
    if (least > 0 && this.lanes.length < this.most) this.open();
    return best;
  }

  /** Gives the connections back; reads go through the pool from now on. */
  close(): void {
    this.closed = true;
    for (const lane of this.lanes.splice(0)) lane.leave();
  }

  private open(): void {
    if (this.opening || this.closed) return;
    this.opening = true;
    this.pool
      .connect()
      .then((client) => {
        if (this.closed) {
          client.release(true);
          return;
        }
        const lane = new ReadLane(client, (error) => {
          this.losses++;
          const place = this.lanes.indexOf(lane);
          if (place >= 0) this.lanes.splice(place, 1);
          client.release(error);
        });
        this.lanes.push(lane);
      })
      // PostgreSQL is away or the pool is full: the read that asked goes through the pool, and is told so there.
      .catch(() => undefined)
      .finally(() => {
        this.opening = false;
      });
  }
}
