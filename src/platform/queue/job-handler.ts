import type { JobQueueName } from './queue-names';

/** One job that was claimed: what to do (`kind`), about which record, in which attempt (from 1). */
export interface Job {
  id: number;
  workspace_id: number;
  kind: string;
  subject_id: number;
  group_id: number;
  attempt: number;
}

/** How an attempt ended. */
export interface JobOutcome {
  /** Try again, as the next `attempt`, so many milliseconds from now; absent = finished, for better or worse. */
  retryInMs?: number;
  /** Why it is to be tried again, where no log of the handler's own says so; kept with the job as its `error`. */
  because?: string;
  /**
   * Records the outcome; runs in the workspace, in the transaction that settles the job, only while the claim holds. It
   * may run again when that transaction fails, so it must have no effects outside PostgreSQL.
   */
  settle?: () => Promise<void>;
}

/** Does one kind of jobs. */
export interface JobHandler {
  readonly kind: string;
  /** The Bull queue that its jobs travel through; `jobs` unless given. */
  readonly travelsBy?: JobQueueName;
  /** Jobs of one group (e.g. one endpoint) that may be enqueued or running at once. */
  readonly perGroup: number;
  /** The same for one workspace. */
  readonly perWorkspace: number;
  /**
   * Longest time an attempt may take, in milliseconds: after 90 % of it the attempt is given up as an error, after all of
   * it another worker may claim the job.
   */
  readonly leaseMs: number;
  /**
   * How long a claim holds without a sign of life of the node that has it, in milliseconds; `leaseMs` unless given. For attempts that may
   * take minutes, and are to be taken over within seconds where a node dies: the claim is renewed while the attempt goes on, for at most
   * `leaseMs`. A node that is held up for longer than this loses its claim, too: the attempt must bear being made twice at once.
   */
  readonly heldMs?: number;
  /**
   * Table whose rows (`workspace_id`, `id` = `subject_id`) are there for nothing but these jobs: they are forgotten with one
   * that died.
   */
  readonly subjects?: string;
  /**
   * One attempt; runs in the workspace, outside any transaction. It may run twice for one attempt when a process dies,
   * so whatever it does outside PostgreSQL must carry an id that tells the other side. A thrown error leaves `attempt` as
   * it is; the job is tried again after 5 s, 30 s, 2 min, 10 min and 1 h of errors in a row, then it is dead: it stays
   * in the table, with the error, for 30 days. While PostgreSQL is away it is tried every 5 s and never given up.
   */
  perform(job: Job): Promise<JobOutcome>;
}
