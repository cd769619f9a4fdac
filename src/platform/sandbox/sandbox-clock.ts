import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import { fail, invalid } from '../errors/api-error';
import { announce } from '../events/announce';
import { sql } from '../postgres/statement-batch';
import { type ExpectedVersions, requireVersion } from '../resource/etag';
import { SandboxKeeper } from './sandbox-keeper';

const DAY_MS = 86_400_000;
/** Ten years: what is due later than that, no test waits for. */
export const MOST_AHEAD_MS = 3_653 * DAY_MS;

/** The clock of a workspace, as its people see it. */
export interface ShownClock {
  /** False: an ordinary workspace, whose clock is the real one. */
  is_sandbox: boolean;
  /** ISO 8601. */
  now: string;
  ahead_seconds: number;
  /** Nothing is under way, nor about to be, because of what was done or has come due. */
  is_settled: boolean;
}

/** `version` counts the moves; 0 where there is no clock of its own. */
export interface ReadClock {
  shown: ShownClock;
  version: number;
}

interface StoredClock {
  version: number;
  ahead_ms: number;
  settled_ms: number;
  /** The real time, ms since 1970: of the whole unit of work. */
  real_ms: number;
}

const CLOCK = `
  SELECT version, ahead_ms, settled_ms, floor(extract(epoch FROM pg_catalog.now()) * 1000)::bigint AS real_ms
  FROM sandboxes WHERE workspace_id = $1`;

/** Before the first move: from here on every node asks how far it is. */
const ANNOUNCE = `UPDATE sandboxes SET has_moved = true WHERE workspace_id = $1 AND NOT has_moved`;
const ANNOUNCED = `SELECT workspace_id FROM sandboxes WHERE workspace_id = $1 AND has_moved`;

const MOVE = `
  UPDATE sandboxes SET ahead_ms = $2, has_moved = $2::bigint > 0, settled_ms = least(settled_ms, $2), version = version + 1, moved_at = pg_catalog.now(), looked_at = '-infinity'
  WHERE workspace_id = $1`;

/** The clock of the current workspace. It never goes backwards but when the sandbox is emptied. */
@Injectable()
export class SandboxClock {
  constructor(
    private readonly database: Database,
    private readonly keeper: SandboxKeeper,
  ) {}

  async read(): Promise<ReadClock> {
    const [clock] = await this.database.read(sql<StoredClock>(CLOCK, [currentWorkspaceId()]));
    const isBusy = await this.keeper.isBusy();
    return shown(clock, isBusy);
  }

  /**
   * Sets the clock; all that this unit of work does from here on is dated by it, the stored answer of an Idempotency-Key, too.
   *
   * @param next what it is to be, given what it is; both in ms since 1970
   * @param field what the body calls it
   * @throws ApiError 409 in a workspace that is no sandbox; 412; 422 where it would go backwards or too far
   */
  async move(field: string, next: (nowMs: number) => number, expected: ExpectedVersions): Promise<ReadClock> {
    await this.announceMoves(currentWorkspaceId());
    return this.database.transaction(async () => {
      const { version, ahead_ms, real_ms } = await this.lock();
      requireVersion(expected, version);
      const target = next(real_ms + ahead_ms);
      if (!(target >= real_ms + ahead_ms))
        invalid(field, 'min', `"${field}" lies before ${iso(real_ms + ahead_ms)}: a clock does not go backwards.`);
      if (!(target - real_ms <= MOST_AHEAD_MS))
        invalid(field, 'max', `"${field}" is too far: a clock is at most 3653 days ahead of the real one.`);
      return this.set(target - real_ms);
    });
  }

  /** Committed by itself: whoever hears of the move has heard before that there are moves. Nothing where there is no sandbox. */
  private async announceMoves(workspaceId: number): Promise<void> {
    const values = [workspaceId];
    const { known } = await this.database.system(() =>
      this.database.batch({ announced: sql(ANNOUNCE, values), known: sql<object>(ANNOUNCED, values) }, true),
    );
    if (known.length > 0) this.database.sandboxes.add(workspaceId);
  }

  /** The sandbox of the current workspace, locked until the end of the unit of work. @throws ApiError 409 where it is none */
  async lock(): Promise<StoredClock> {
    const { found } = await this.database.batch({
      found: sql<StoredClock>(`${CLOCK} FOR UPDATE`, [currentWorkspaceId()]),
    });
    return (
      found[0] ??
      fail('conflict', 'This workspace is no sandbox: its clock stands for real time, and its records stay.')
    );
  }

  /** @param aheadMs less than before only where everything else begins anew, too, which tells of itself */
  async set(aheadMs: number, tells = true): Promise<ReadClock> {
    const workspaceId = currentWorkspaceId();
    await this.database.run([{ text: MOVE, values: [workspaceId, aheadMs] }]);
    await this.database.setClock(aheadMs);
    const { found } = await this.database.batch({ found: sql<StoredClock>(CLOCK, [workspaceId]) });
    const clock = shown(found[0], true);
    const { now, ahead_seconds } = clock.shown;
    if (tells) await announce(this.database, workspaceId, 'sandbox.clock_moved', workspaceId, { now, ahead_seconds });
    this.database.afterCommit(() => this.keeper.wake());
    return clock;
  }
}

function shown(clock: StoredClock | undefined, isBusy: boolean): ReadClock {
  if (!clock) {
    const now = iso(Date.now() + current().clockAheadMs);
    return { shown: { is_sandbox: false, now, ahead_seconds: 0, is_settled: !isBusy }, version: 0 };
  }
  const { version, ahead_ms, settled_ms, real_ms } = clock;
  const is_settled = !isBusy && settled_ms >= ahead_ms;
  return {
    shown: { is_sandbox: true, now: iso(real_ms + ahead_ms), ahead_seconds: ahead_ms / 1_000, is_settled },
    version,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
