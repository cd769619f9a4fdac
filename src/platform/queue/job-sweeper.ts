import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';

/** What a sweep found. */
export interface Sweep {
  /** There are events in the outbox to be dispatched. */
  events: boolean;
  /** There are parked events whose pause is over. */
  parked: boolean;
  /** There are jobs to schedule. */
  jobs: boolean;
  /** A batch was full: sweep again at once. */
  more: boolean;
}

const BATCH = 500;
/** What was enqueued and not begun for so long was lost on the way. */
const LOST_AFTER = `interval '5 seconds'`;

function sweep(change: string, which: string): string {
  return `
    WITH swept AS (
      SELECT workspace_id, id FROM work WHERE ${which} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    UPDATE work w SET ${change} FROM swept WHERE w.workspace_id = swept.workspace_id AND w.id = swept.id RETURNING 1`;
}

const LOST = sweep(`enqueued_at = NULL`, `state = 'waiting' AND enqueued_at < now() - ${LOST_AFTER}`);
const NOTHING = 'SELECT 1 WHERE false';

const DUE = sweep(`state = 'waiting'`, `state = 'scheduled' AND due_at <= now()`);
const LEASED = sweep(
  `state = 'waiting', enqueued_at = NULL, lease_until = NULL`,
  `state = 'running' AND lease_until < now()`,
);
const EVENTS = `SELECT 1 WHERE EXISTS (SELECT FROM event_outbox WHERE retry_at IS NULL)`;
const PARKED = `SELECT 1 WHERE EXISTS (SELECT FROM event_outbox WHERE retry_at <= now())`;
const JOBS = `SELECT 1 WHERE EXISTS (SELECT FROM work WHERE state = 'waiting' AND enqueued_at IS NULL)`;

/** Finds what fell by the wayside: due retries, jobs lost in Redis, leases of nodes that died, events nobody was told of. */
@Injectable()
export class JobSweeper {
  constructor(private readonly database: Database) {}

  /**
   * One sweep, in one round trip.
   *
   * @param lost look for jobs lost in Redis, too: when nodes are busy, those that wait there long are not lost
   */
  async sweep(lost: boolean): Promise<Sweep> {
    const statements = {
      due: { text: DUE },
      unclaimed: { text: lost ? LOST : NOTHING },
      leased: { text: LEASED },
      events: { text: EVENTS },
      parked: { text: PARKED },
      jobs: { text: JOBS },
    };
    const found = await this.database.bookkeeping(() => this.database.batch(statements, true));
    const more = [found.due, found.unclaimed, found.leased].some(({ length }) => length === BATCH);
    return { events: found.events.length > 0, parked: found.parked.length > 0, jobs: found.jobs.length > 0, more };
  }
}
