import type { DataSource, EntityManager } from 'typeorm';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { PoolClient, QueryResultRow } from 'pg';
import { type RawRow, StatementBatch, type Statement, apart } from './statement-batch';

const COMMIT: Statement = { text: 'COMMIT' };

/** TypeORM's query runner over a connection whose transaction was begun by `Transaction`. */
class AdoptedQueryRunner extends PostgresQueryRunner {
  constructor(dataSource: DataSource, client: PoolClient) {
    super(dataSource.driver as PostgresDriver, 'master');
    this.databaseConnection = client;
    this.isTransactionActive = true;
    this.transactionDepth = 1;
  }
}

/** What the outermost caller will have been told once a record is created: it has nothing to write after that. */
export interface Foretold {
  /** Kind of the record, as events call it. */
  readonly object: string;
  /** The id that the event of its creation is to have, without its prefix. */
  readonly eventId: string;
  /** That record is the whole answer, and its creation the last that is written. */
  taken: boolean;
  /** Its JSON, once it is created. */
  json: string;
}

/**
 * One open PostgreSQL transaction on one connection. BEGIN and the confinement (`app.workspace_id` or the role) travel
 * in the same flush as the first statement.
 */
export class Transaction {
  /** Run once after a successful commit, in order. */
  readonly afterCommit: (() => void | Promise<void>)[] = [];
  /** Sent in one flush with COMMIT, in order; they answer nothing. */
  readonly beforeCommit: Statement[] = [];
  /** Records that the answer shows, as `table:id`: a stored answer is found by them when one of them is to be forgotten. */
  readonly about = new Set<string>();
  /** Set where the unit of work may end with the creation of one record, although callers have joined it. */
  foretold: Foretold | null = null;
  /** Event rows were written: consumers are to be told after the commit. */
  announces = false;
  /** Units of work that joined this one and are still running. */
  joined = 0;
  /** When it began, by PostgreSQL's clock: ISO 8601 in milliseconds. Null until a first statement has told. */
  moment: string | null = null;
  /**
   * Its statements mean other functions than elsewhere by the same names (a clock that is ahead), so they are prepared apart: what
   * the connection has prepared stays as it is.
   */
  isApart = false;
  /** What a statement of the opening failed with, if one did: nothing behind it was done. */
  refusal: unknown = null;
  private committed = false;
  private pending: Statement[];
  /** Sent in the flush of whatever comes next, ahead of it; they answer nothing. */
  private waiting: Statement[] = [];
  private readonly confined: number;
  private savepoints = 0;
  private ormManager: EntityManager | null = null;

  /** @param confinement its last statement may tell the moment, as its second column */
  constructor(
    private readonly dataSource: DataSource,
    private readonly client: PoolClient,
    confinement: readonly Statement[],
  ) {
    this.pending = [{ text: 'BEGIN' }, ...confinement];
    this.confined = confinement.length;
  }

  /** Whether anything was sent yet. */
  get isOpen(): boolean {
    return this.pending.length === 0;
  }

  /** A unit of work that joins this one. */
  async join<T>(work: () => Promise<T>): Promise<T> {
    this.joined++;
    try {
      return await work();
    } finally {
      this.joined--;
    }
  }

  /** Sends a statement ahead of the first one that comes, in its flush; when it fails, none of those behind it is done. */
  openWith(statement: Statement): void {
    this.pending.push(statement);
  }

  /** Lets statements wait for the flush of the next one, or of the commit; their order stays. */
  later(statements: readonly Statement[]): void {
    this.waiting.push(...statements);
  }

  /**
   * Statements in one round trip; rows as arrays of PostgreSQL texts.
   *
   * @param last nothing follows: COMMIT travels in the same flush (unless an outer unit of work goes on). When a
   *   statement fails PostgreSQL skips the COMMIT behind it.
   */
  batch(statements: readonly Statement[], last = false): Promise<RawRow[][]> {
    return this.send(statements, last, false, (rows) => rows);
  }

  /** The same; rows as `query` answers them. */
  rows(statements: readonly Statement[], last = false): Promise<object[][]> {
    return this.send(statements, last, true, (rows, batch, first) =>
      rows.map((each, index) => batch.named(first + index, each)),
    );
  }

  /** One statement; rows as objects parsed by the driver (bigint as number, moments as ISO 8601). */
  async query<R extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    if (this.hasUnsent) await this.batch([]);
    const result = await this.client.query<R>(text, [...values]);
    return result.rows;
  }

  /** Runs `work` behind a savepoint: what it wrote is undone when it throws, the rest of the transaction stays. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const name = `sp_${++this.savepoints}`;
    await this.batch([{ text: `SAVEPOINT ${name}`, unnamed: true }]);
    try {
      const value = await work();
      await this.batch([{ text: `RELEASE SAVEPOINT ${name}`, unnamed: true }]);
      return value;
    } catch (error) {
      await this.batch([{ text: `ROLLBACK TO SAVEPOINT ${name}`, unnamed: true }]);
      throw error;
    }
  }

  /** TypeORM's entity manager inside this transaction, for code that wants repositories or the query builder. */
  async manager(): Promise<EntityManager> {
    if (this.hasUnsent) await this.batch([]);
    this.ormManager ??= this.dataSource.createEntityManager(new AdoptedQueryRunner(this.dataSource, this.client));
    return this.ormManager;
  }

  async commit(): Promise<void> {
    const untouched = !this.isOpen && this.waiting.length + this.beforeCommit.length === 0;
    if (!this.committed && !untouched) await this.batch([], true);
  }

  async rollback(): Promise<void> {
    if (!this.pending.length) await this.batch([{ text: 'ROLLBACK' }]);
  }

  private get hasUnsent(): boolean {
    return this.pending.length + this.waiting.length > 0;
  }

  /** @param take what is answered: of the rows of each statement, where the first stands in the batch */
  private send<T>(
    statements: readonly Statement[],
    last: boolean,
    described: boolean,
    take: (rows: RawRow[][], batch: StatementBatch, first: number) => T,
  ): Promise<T> {
    const { pending: opening, waiting } = this;
    [this.pending, this.waiting] = [[], []];
    if (this.committed) return Promise.reject(new Error('This unit of work has ended.'));
    const commits = last && (this.joined === 0 || (this.joined === 1 && this.foretold?.taken === true));
    const closing = commits ? [...this.beforeCommit, COMMIT] : [];
    const first = opening.length + waiting.length;
    const end = first + statements.length;
    const all = [...opening, ...waiting, ...statements, ...closing];
    const sent = this.isApart ? all.map(apart) : all;
    const batch = new StatementBatch(sent, described ? [first, end] : undefined);
    this.client.query(batch);
    return batch.result.then(
      (rows) => {
        if (opening.length > 0) this.moment = rows[this.confined]?.[0]?.[1] ?? null;
        this.committed = commits;
        return take(rows.slice(first, end), batch, first);
      },
      (error: unknown) => {
        if (batch.done < opening.length) this.refusal = error;
        throw error;
      },
    );
  }
}
