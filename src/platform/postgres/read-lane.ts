import { type ClientBase, type Connection, DatabaseError, type Submittable } from 'pg';
import { GatheredReads } from './gathered-reads';
import { type RawRow, StatementBatch, type Statement, type Wire } from './statement-batch';

/** A statement on its way, or the setting before it that its workspace needs. */
interface Sent {
  batch: StatementBatch;
  /** It sets the workspace of all that follow: they are void without it. */
  confines: boolean;
  at: number;
}

const CONFINE = `SELECT set_config('app.workspace_id', $1, false)`;

/**
 * One connection on which several quick reads are under way at once: each is sent without waiting for the answers of those before,
 * which PostgreSQL gives in the order of asking (its documentation, "Pipelining"). The workspace is set when it changes, in a
 * transaction of its own, so that a failing read cannot take the setting back from those behind it. Should a setting fail,
 * or the connection be lost, all that is under way fails and the lane is at its end.
 *
 * The connection belongs to the lane alone: nothing else may be sent on it, also not later.
 */
export class ReadLane implements Submittable {
  private ended: Error | null = null;
  private isLeaving = false;
  private readonly sent: Sent[] = [];
  /** What this turn of the event loop has brought and is sent with its end. */
  private readonly gathered: GatheredReads[] = [];
  private wire: Wire | null = null;
  /** Waiting in the client, or being answered. */
  private isQueued = false;
  private isTurning = false;
  private isCorked = false;
  /** Of the reads sent last. */
  private workspaceId: number | null = null;

  /** @param onEnd called once, with what ended the lane; the connection is to be closed */
  constructor(
    private readonly client: ClientBase,
    private readonly onEnd: (error: Error) => void,
  ) {
    client.once('error', (error: Error) => this.end(error));
    client.once('end', () => this.end(new Error('The connection was terminated.')));
  }

  /** Reads under way. */
  get depth(): number {
    return this.gathered.reduce((depth, { size }) => depth + size, this.sent.length);
  }

  /** When the one that is being answered was sent (`performance.now()`); null when none is. */
  get since(): number | null {
    return this.sent[0]?.at ?? null;
  }

  /** Whether the lane is set to the workspace. */
  isOf(workspaceId: number): boolean {
    return this.workspaceId === workspaceId;
  }

  /** Whether it has such reads to send (`read`). */
  isGathering(workspaceId: number, statement: Statement): boolean {
    return this.gathered.some((reads) => reads.has(workspaceId, statement));
  }

  /**
   * The rows of a read of one record, which is asked with others like it that the same turn of the event loop brings.
   *
   * @param explain what is thrown where it fails
   */
  read(workspaceId: number, statement: Statement, explain: (error: unknown) => Error): Promise<RawRow[]> {
    let reads = this.gathered.find((some) => some.has(workspaceId, statement));
    if (!reads) {
      this.gathered.push((reads = new GatheredReads(workspaceId, statement)));
      this.atEndOfTurn();
    }
    return reads.add(statement, explain);
  }

  /** Sends one statement; await the `result` of what is returned. */
  send(workspaceId: number, statement: Statement, described: boolean): StatementBatch {
    const batch = new StatementBatch([statement], described ? [0, 1] : undefined);
    this.sendTo(workspaceId, batch);
    return batch;
  }

  /** Ends the lane once what is under way is answered. */
  leave(): void {
    this.isLeaving = true;
    if (this.depth === 0) this.end(new Error('The lane was left.'));
  }

  private sendTo(workspaceId: number, batch: StatementBatch): void {
    if (this.workspaceId !== workspaceId) {
      const confinement = new StatementBatch([{ text: CONFINE, values: [workspaceId] }]);
      confinement.result.catch(() => undefined);
      this.workspaceId = workspaceId;
      this.push(confinement, true);
    }
    this.push(batch, false);
  }

  private push(batch: StatementBatch, confines: boolean): void {
    if (this.ended) {
      batch.handleError(this.ended);
      return;
    }
    this.sent.push({ batch, confines, at: performance.now() });
    if (this.wire) this.write(this.wire, batch);
    if (!this.isQueued) this.queue();
  }

  /** What requests of one turn of the event loop send goes out together, with its end: system calls are the dearest part of a read. */
  private write(wire: Wire, batch: StatementBatch): void {
    if (!this.isCorked) {
      this.isCorked = true;
      wire.stream.cork();
      this.atEndOfTurn();
    }
    batch.submit(wire as unknown as Connection);
  }

  private atEndOfTurn(): void {
    if (this.isTurning) return;
    this.isTurning = true;
    setImmediate(() => {
      for (const reads of this.gathered.splice(0)) this.sendTo(reads.workspaceId, reads.batch());
      this.isTurning = false;
      if (this.isCorked) {
        this.isCorked = false;
        this.wire?.stream.uncork();
      }
    });
  }

  /** Becomes the query that the client gives its messages to. */
  private queue(): void {
    this.isQueued = true;
    this.client.query(this);
  }

  submit(connection: Connection): void {
    if (this.wire) return;
    this.wire = connection as unknown as Wire;
    for (const { batch } of this.sent) this.write(this.wire, batch);
  }

  handleReadyForQuery(): void {
    this.isQueued = false;
    this.sent.shift()?.batch.handleReadyForQuery();
    if (this.sent.length > 0) this.queue();
    else if (this.isLeaving) this.leave();
  }

  /** Of a statement; or of the connection, which fails everything. */
  handleError(error: Error): void {
    this.isQueued = false;
    const failed = this.sent.shift();
    failed?.batch.handleError(error);
    if (!(error instanceof DatabaseError) || failed?.confines) this.end(error);
    // The client lets go of a query that fails before PostgreSQL is ready for the next.
    else if (this.sent.length > 0) this.queue();
    else if (this.isLeaving) this.leave();
  }

  handleDataRow(message: { fields: RawRow }): void {
    this.sent[0]?.batch.handleDataRow(message);
  }

  handleCommandComplete(): void {
    this.sent[0]?.batch.handleCommandComplete();
  }

  handleRowDescription(message: Parameters<StatementBatch['handleRowDescription']>[0]): void {
    this.sent[0]?.batch.handleRowDescription(message);
  }

  handleEmptyQuery(): void {
    this.sent[0]?.batch.handleEmptyQuery();
  }

  handlePortalSuspended(): void {
    // Cannot happen: every statement is executed without a row limit.
  }

  private end(error: Error): void {
    if (this.ended) return;
    this.ended = error;
    for (const { batch } of this.sent.splice(0)) batch.handleError(error);
    this.onEnd(error);
  }
}
