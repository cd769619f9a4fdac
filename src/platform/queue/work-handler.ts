/** One piece of work that was claimed: what to do (`kind`), about which record, in which attempt (from 1). */
export interface WorkItem {
  id: number;
  workspace_id: number;
  kind: string;
  subject_id: number;
  lane: number;
  attempt: number;
}

/** How an attempt ended. */
export interface WorkOutcome {
  /** Try again, as the next `attempt`, so many milliseconds from now; absent = finished, for better or worse. */
  retryInMs?: number;
  /**
   * Records the outcome; runs in the workspace, in the transaction that settles the item, only while the claim holds. It
   * may run again when that transaction fails, so it must have no effects outside PostgreSQL.
   */
  settle?: () => Promise<void>;
}

/** Does one kind of work. */
export interface WorkHandler {
  readonly kind: string;
  /** Items of one lane (e.g. one endpoint) that may be handed out or running at once. */
  readonly perLane: number;
  /** The same for one workspace. */
  readonly perWorkspace: number;
  /**
   * Longest time an attempt may take, in milliseconds: after 90 % of it the attempt is given up as an error, after all of
   * it another worker may claim the item.
   */
  readonly leaseMs: number;
  /**
   * Table whose rows (`workspace_id`, `id` = `subject_id`) are there for nothing but this work: they are forgotten with an
   * item that died.
   */
  readonly subjects?: string;
  /**
   * One attempt; runs in the workspace, outside any transaction. It may run twice for one attempt when a process dies,
   * so whatever it does outside PostgreSQL must carry an id that tells the other side. A thrown error leaves `attempt` as
   * it is; the item is tried again after 5 s, 30 s, 2 min, 10 min and 1 h of errors in a row, then it is dead: it stays
   * in `work`, with the error, for 30 days. While PostgreSQL is away it is tried every 5 s and never given up.
   */
  perform(item: WorkItem): Promise<WorkOutcome>;
}
