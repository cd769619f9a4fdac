import type { Pool } from 'pg';
import { ApiError } from '../errors/api-error';
import { WAIT_MS } from './data-source';

/** What one workspace holds of the pool. */
interface Holder {
  held: number;
  waiting: Waiter[];
}

interface Waiter {
  go: () => void;
  timer: NodeJS.Timeout;
}

/**
 * Lets no workspace hold more than its share of the connections of this process, so that one whose statements hang leaves the
 * others theirs. Who finds the share taken waits in line, as long as for a connection of the pool.
 */
export class ConnectionShares {
  private readonly holders = new Map<number, Holder>();

  /**
   * @param share connections that one workspace may hold
   * @param patienceMs how long to wait for one
   */
  constructor(
    private readonly share: number,
    private readonly patienceMs: number,
  ) {}

  /**
   * What `take` answers, with one connection's worth of the workspace's share, which is to be given back with `leave` unless it fails.
   *
   * @throws ApiError 503 when the share stays taken
   */
  taken<T>(workspaceId: number, take: () => Promise<T>): Promise<T> {
    const taking = (): Promise<T> =>
      take().catch((error: unknown) => {
        this.leave(workspaceId);
        throw error;
      });
    const turn = this.enter(workspaceId);
    return turn ? turn.then(taking) : taking();
  }

  /** Gives it back: to the one that waits longest, if there is any. */
  leave(workspaceId: number): void {
    const holder = this.holders.get(workspaceId);
    if (!holder) return;
    const next = holder.waiting.shift();
    if (next) {
      clearTimeout(next.timer);
      next.go();
    } else if (--holder.held === 0) {
      this.holders.delete(workspaceId);
    }
  }

  /** Answers a turn that is to be waited for, if there is no room. */
  private enter(workspaceId: number): Promise<void> | null {
    let holder = this.holders.get(workspaceId);
    if (!holder) this.holders.set(workspaceId, (holder = { held: 0, waiting: [] }));
    if (holder.held < this.share) {
      holder.held++;
      return null;
    }
    return this.turn(holder.waiting);
  }

  private turn(waiting: Waiter[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        go: resolve,
        timer: setTimeout(() => {
          waiting.splice(waiting.indexOf(waiter), 1);
          reject(
            new ApiError('service_unavailable', 'Too many requests of this workspace are at work; try again.', {
              headers: { 'Retry-After': '1' },
            }),
          );
        }, this.patienceMs),
      };
      waiting.push(waiter);
    });
  }
}

/** Half of the pool is the most that one workspace may hold. */
export function sharesOf({ options }: Pool): ConnectionShares {
  return new ConnectionShares(Math.max(1, Math.floor(options.max / 2)), options.connectionTimeoutMillis ?? WAIT_MS);
}
