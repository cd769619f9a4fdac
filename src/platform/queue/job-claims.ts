import { Inject, Injectable } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { Database, HASTY } from '../database/database';
import { sql } from '../postgres/statement-batch';
import { JobHandlers } from './job-handlers';
import type { Job } from './job-handler';

/** What Redis carries of a job: which row it is. */
export interface JobRef {
  workspace_id: number;
  id: number;
}

/** A claimed job; `epoch` proves the claim. */
export interface ClaimedJob extends Job {
  epoch: number;
  failures: number;
}

/** Where a job goes that is not finished. */
export interface Postponement {
  state: 'waiting' | 'dead';
  attempt: number;
  failures: number;
  delayMs: number;
  error: string | null;
}

interface Asked {
  ref: JobRef;
  answer: (claimed: ClaimedJob | null) => void;
  fail: (error: unknown) => void;
}

/** Most claims in one statement. */
const BATCH = 200;

/**
 * SKIP LOCKED: a job that someone holds at this moment is not to be waited for; should it still need doing, the
 * sweeper lets it be enqueued again.
 */
const CLAIM = `
  WITH wanted AS (
    SELECT w.workspace_id, w.id, h.lease_ms
    FROM json_to_recordset($1::json) AS r(workspace_id bigint, id bigint)
    JOIN work w ON w.workspace_id = r.workspace_id AND w.id = r.id
    JOIN json_to_recordset($2::json) AS h(kind text, lease_ms integer) ON h.kind = w.kind
    WHERE w.state = 'waiting' AND w.due_at <= now() AND w.enqueued_at IS NOT NULL
    FOR UPDATE OF w SKIP LOCKED)
  UPDATE work w SET state = 'running', epoch = w.epoch + 1, lease_until = now() + wanted.lease_ms * interval '1 millisecond'
  FROM wanted WHERE w.workspace_id = wanted.workspace_id AND w.id = wanted.id
  RETURNING w.workspace_id, w.id, w.kind, w.subject_id, w.lane AS group_id, w.attempt, w.epoch, w.failures`;

/** What this node cannot do is left to nodes that can. */
const LEAVE_UNKNOWN = `
  UPDATE work w SET enqueued_at = NULL FROM json_to_recordset($1::json) AS r(workspace_id bigint, id bigint)
  WHERE w.workspace_id = r.workspace_id AND w.id = r.id AND w.state = 'waiting' AND w.enqueued_at IS NOT NULL
    AND w.kind <> ALL ($2::text[])`;

const RELEASE = `
  UPDATE work w SET state = 'waiting', enqueued_at = NULL, lease_until = NULL
  FROM json_to_recordset($1::json) AS r(workspace_id bigint, id bigint, epoch integer)
  WHERE w.workspace_id = r.workspace_id AND w.id = r.id
    AND (w.state = 'running' AND w.epoch = r.epoch OR w.state = 'waiting' AND r.epoch IS NULL)`;

const RENEW = `
  UPDATE work SET lease_until = now() + $4 * interval '1 millisecond'
  WHERE workspace_id = $1 AND id = $2 AND epoch = $3 AND state = 'running'`;

/** Who works on what: jobs change hands only here, by comparing state and epoch. */
@Injectable()
export class JobClaims {
  private asked: Asked[] = [];
  private asking = false;
  /** Outcomes come in bursts; requests must still find connections. */
  private readonly conclusions: LimitFunction;

  constructor(
    @Inject(RUNTIME_CONFIG) config: Pick<RuntimeConfig, 'databasePoolSize'>,
    private readonly database: Database,
    private readonly handlers: JobHandlers,
  ) {
    this.conclusions = pLimit(Math.ceil(config.databasePoolSize / 2));
  }

  /**
   * Claims a job that was enqueued; null when someone else has it or it is not to be done now. Calls made while a
   * statement is under way share the next one.
   */
  claim(ref: JobRef): Promise<ClaimedJob | null> {
    return new Promise((answer, fail) => {
      this.asked.push({ ref, answer, fail });
      if (!this.asking) void this.ask();
    });
  }

  /** Holds a claimed job for longer, unless the claim holds no more. */
  async renew({ workspace_id, id, epoch }: ClaimedJob, heldMs: number): Promise<void> {
    const values = [workspace_id, id, epoch, heldMs];
    await this.database.bookkeeping(() => this.database.run([{ text: RENEW, values }], true));
  }

  /**
   * Ends a claimed job: `settle` records the outcome in the same transaction.
   *
   * @returns false, without calling `settle`, when the claim no longer holds
   */
  finish(job: ClaimedJob, settle?: () => Promise<void>): Promise<boolean> {
    const { workspace_id, id, epoch } = job;
    const text = `DELETE FROM work WHERE workspace_id = $1 AND id = $2 AND epoch = $3 AND state = 'running' RETURNING 1`;
    return this.conclude({ text, values: [workspace_id, id, epoch] }, settle);
  }

  /** Lets a claimed job wait (or lie, when dead); otherwise like `finish`. */
  postpone(job: ClaimedJob, to: Postponement, settle?: () => Promise<void>): Promise<boolean> {
    const { workspace_id, id, epoch } = job;
    const text =
      `UPDATE work SET state = $4, attempt = $5, failures = $6, due_at = now() + $7 * interval '1 millisecond', ` +
      `error = $8, enqueued_at = NULL, lease_until = NULL ` +
      `WHERE workspace_id = $1 AND id = $2 AND epoch = $3 AND state = 'running' RETURNING 1`;
    const { state, attempt, failures, delayMs, error } = to;
    return this.conclude(
      { text, values: [workspace_id, id, epoch, state, attempt, failures, Math.max(0, Math.round(delayMs)), error] },
      settle,
    );
  }

  /** Gives back what this node will not do: claimed jobs (with their epoch) and those only enqueued. */
  async release(refs: readonly (JobRef & { epoch?: number })[]): Promise<void> {
    if (refs.length === 0) return;
    const rows = refs.map(({ workspace_id, id, epoch }) => ({ workspace_id, id, epoch: epoch ?? null }));
    await this.database.bookkeeping(() => this.database.run([{ text: RELEASE, values: [JSON.stringify(rows)] }], true));
  }

  /** A crash of PostgreSQL may forget the outcome: then the attempt is made again, which it must bear anyway. */
  private conclude(change: { text: string; values: unknown[] }, settle?: () => Promise<void>): Promise<boolean> {
    const work = async (): Promise<boolean> => {
      const { changed } = await this.database.batch({ hasty: HASTY, changed: change }, !settle);
      if (changed.length !== 1) return false;
      await settle?.();
      return true;
    };
    return this.conclusions(() => this.database.transaction(work));
  }

  private async ask(): Promise<void> {
    this.asking = true;
    while (this.asked.length) {
      const batch = this.asked.splice(0, BATCH);
      try {
        const claimed = new Map((await this.claimAll(batch)).map((job) => [keyOf(job), job]));
        for (const { ref, answer } of batch) {
          // Two jobs may carry one job: the first takes it.
          answer(claimed.get(keyOf(ref)) ?? null);
          claimed.delete(keyOf(ref));
        }
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
    this.asking = false;
  }

  private async claimAll(batch: readonly Asked[]): Promise<ClaimedJob[]> {
    const refs = JSON.stringify(batch.map(({ ref: { workspace_id, id } }) => ({ workspace_id, id })));
    const handlers = this.handlers.all();
    const leases = JSON.stringify(handlers.map(({ kind, leaseMs, heldMs = leaseMs }) => ({ kind, lease_ms: heldMs })));
    const found = await this.database.bookkeeping(() =>
      this.database.batch(
        {
          claimed: sql<ClaimedJob>(CLAIM, [refs, leases]),
          left: { text: LEAVE_UNKNOWN, values: [refs, handlers.map(({ kind }) => kind)] },
        },
        true,
      ),
    );
    return found.claimed;
  }
}

function keyOf({ workspace_id, id }: JobRef): string {
  return `${workspace_id}/${id}`;
}
