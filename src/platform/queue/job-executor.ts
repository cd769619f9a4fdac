import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../context/current';
import { Database } from '../database/database';
import { ApiError } from '../errors/api-error';
import { type ClaimedJob, type Postponement, JobClaims, type JobRef } from './job-claims';
import type { JobHandler, JobOutcome } from './job-handler';
import { JobHandlers } from './job-handlers';

/** Attempts that one node makes at the same time. */
const CONCURRENCY = 200;

/** Pauses after errors thrown in a row; after one more the job is dead. */
const AFTER_ERRORS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000];
const DATABASE_AWAY_MS = 5_000;
/** Characters kept of what went wrong. */
const MAX_ERROR = 2_000;
const SETTLE_AGAIN_MS = 250;
/** Signs of life within the time that a claim holds without one. */
const RENEWALS = 4;
const ROOMY_AFTER_MS = 5_000;
const SYSTEM: Actor = { type: 'system', id: null, name: 'system' };

/** Claims jobs, has their handlers do them, and records how that ended. */
@Injectable()
export class JobExecutor {
  private readonly logger = new Logger(JobExecutor.name);
  private readonly running = new Map<ClaimedJob, Promise<void>>();
  private readonly claiming = new Set<Promise<ClaimedJob | null>>();
  /** What is left to others at the end, claimed (with its epoch) or only enqueued. */
  private readonly refused: (JobRef & { epoch?: number })[] = [];
  private readonly waiting: (() => void)[] = [];
  /** Jobs claimed or being claimed. */
  private busy = 0;
  private stopping = false;
  private fullAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly handlers: JobHandlers,
    private readonly claims: JobClaims,
  ) {}

  /** Attempts that could begin now. */
  get free(): number {
    return Math.max(0, CONCURRENCY - this.busy);
  }

  /** Whether there was room all the time lately, so that a job in Redis would have been taken. */
  get roomy(): boolean {
    return this.free > 0 && performance.now() - this.fullAt > ROOMY_AFTER_MS;
  }

  /** Waits until another attempt can begin, and keeps its place for `execute`; no longer than until the node stops. */
  async takePlace(): Promise<void> {
    while (this.free === 0 && !this.stopping) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.busy++;
  }

  /**
   * Does a job unless someone else has it; resolves when the attempt is over, never rejects.
   *
   * @param placed its place was taken before
   */
  async execute(ref: JobRef, placed = false): Promise<void> {
    if (this.stopping) return void this.refused.push(ref);
    if (!placed) this.busy++;
    this.noteRoom();
    try {
      await this.claimAndDo(ref);
    } finally {
      this.noteRoom();
      this.busy--;
      this.waiting.shift()?.();
    }
  }

  /** Leaves jobs that were enqueued to others. */
  giveBack(refs: readonly JobRef[]): Promise<void> {
    return this.claims.release(refs);
  }

  /** Takes nothing more, waits for what runs, and gives back the rest. */
  async stop(patienceMs: number): Promise<void> {
    this.stopping = true;
    for (const resolve of this.waiting.splice(0)) resolve();
    // What was being claimed at that moment is not begun any more.
    const claimed = Promise.all(this.claiming);
    await Promise.race([claimed.then(() => Promise.all(this.running.values())), pause(patienceMs)]);
    await this.claims.release([...this.running.keys(), ...this.refused]).catch(() => undefined);
  }

  private async claimAndDo(ref: JobRef): Promise<void> {
    // Null, too, while PostgreSQL is away: the sweeper lets the job be enqueued again.
    const claiming = this.claims.claim(ref).catch(() => null);
    this.claiming.add(claiming);
    const job = await claiming;
    this.claiming.delete(claiming);
    if (!job) return;
    if (this.stopping) return void this.refused.push(job);
    // Whether it is a sandbox's could not be asked, because PostgreSQL has gone: the lease ends, and another attempt is made.
    const attempt = this.attempt(job).catch(() => undefined);
    this.running.set(job, attempt);
    await attempt;
    this.running.delete(job);
  }

  private noteRoom(): void {
    if (this.free === 0) this.fullAt = performance.now();
  }

  private async attempt(job: ClaimedJob): Promise<void> {
    const handler = this.handlers.of(job.kind);
    if (!handler) return;
    // By this node's clock, a little before PostgreSQL's: whoever comes late must find that the claim is gone.
    const leaseEndsAt = performance.now() + handler.leaseMs;
    const renewal = this.renewed(job, handler, leaseEndsAt);
    try {
      await this.database.inWorkspace(job.workspace_id, SYSTEM, async () => {
        let settle: () => Promise<boolean>;
        try {
          const outcome = await this.perform(handler, job);
          settle = () => this.settled(job, outcome);
        } catch (error) {
          settle = () => this.failed(job, error);
        }
        await this.insist(job, settle, leaseEndsAt);
      });
    } finally {
      clearInterval(renewal);
    }
  }

  /** Signs of life for a job whose claim needs them. One that is lost is made up for by the next. */
  private renewed(job: ClaimedJob, { heldMs }: JobHandler, leaseEndsAt: number): NodeJS.Timeout | undefined {
    if (heldMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (performance.now() > leaseEndsAt) clearInterval(timer);
      else void this.claims.renew(job, heldMs).catch(() => undefined);
    }, heldMs / RENEWALS).unref();
    return timer;
  }

  private async perform(handler: JobHandler, job: ClaimedJob): Promise<JobOutcome> {
    const { id, workspace_id, kind, subject_id, group_id, attempt } = job;
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`No outcome within ${handler.leaseMs} ms.`));
      }, handler.leaseMs * 0.9).unref();
    });
    const performed = handler.perform({ id, workspace_id, kind, subject_id, group_id, attempt });
    performed.catch(() => undefined);
    try {
      return await Promise.race([performed, overdue]);
    } finally {
      clearTimeout(timer);
    }
  }

  private settled(job: ClaimedJob, { retryInMs, because, settle }: JobOutcome): Promise<boolean> {
    if (retryInMs === undefined) return this.claims.finish(job, settle);
    const to: Postponement = {
      state: 'waiting',
      attempt: job.attempt + 1,
      failures: 0,
      delayMs: retryInMs,
      error: because?.slice(0, MAX_ERROR) ?? null,
    };
    return this.claims.postpone(job, to, settle);
  }

  private async failed(job: ClaimedJob, error: unknown): Promise<boolean> {
    const { kind, id, workspace_id, attempt, failures } = job;
    const away = error instanceof ApiError && error.type === 'service_unavailable';
    const pauseMs = away ? DATABASE_AWAY_MS : AFTER_ERRORS_MS[failures];
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const held = await this.claims.postpone(job, {
      state: pauseMs === undefined ? 'dead' : 'waiting',
      attempt,
      failures: away ? failures : failures + 1,
      delayMs: pauseMs ?? 0,
      error: text.slice(0, MAX_ERROR),
    });
    const name = `Job ${id} (${kind}) of workspace ${workspace_id}`;
    if (held && pauseMs === undefined)
      this.logger.error(`${name} failed ${failures + 1} times and is given up: ${text}`);
    else if (held && !away) this.logger.warn(`${name} failed: ${text}`);
    return held;
  }

  /**
   * What was done must be recorded, or it is done again: tries until the lease ends. A `settle` that fails for a reason
   * of its own counts as a failed attempt.
   */
  private async insist(job: ClaimedJob, settle: () => Promise<boolean>, leaseEndsAt: number): Promise<void> {
    for (let record = settle; ;) {
      try {
        await record();
        return;
      } catch (error) {
        if (performance.now() > leaseEndsAt) return;
        if (!(error instanceof ApiError && error.type === 'service_unavailable'))
          record = () => this.failed(job, error);
        await pause(SETTLE_AGAIN_MS);
      }
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}
