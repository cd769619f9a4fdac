import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Causation } from '../context/causation';
import type { Principal } from '../context/principal';
import { type Actor, type Context, current, currentOrNone, currentWorkspaceId } from '../context/current';
import { newContext, runInContext } from '../context/current';
import { beginningIn, confined, MOMENT } from './confinement';
import { type ConnectionShares, sharesOf } from './connection-shares';
import { connectionLost, isRetryable, toApiError } from './database-errors';
import { promised } from './promised';
import { ReadLanes } from './read-lanes';
import { Sandboxes } from './sandboxes';
import { setClock } from './workspace-clock';
import { type Answers, type Queries, type Query, type RawRow, sql } from '../postgres/statement-batch';
import { StatementBatch, type Statement } from '../postgres/statement-batch';
import { Transaction } from '../postgres/transaction';

const RETRIES = 3;
/** Who collided waits differently long, on average twice as long each time, so as not to collide in the same way again. */
const JITTER_MS = 25;

/** The commit of the unit of work does not wait for the disk. */
export const HASTY: Statement = { text: 'SET LOCAL synchronous_commit = off' };

/** SQL fragment that is 1 for rows of the bound workspace: the explicit wall beside row-level security. */
export const workspacePredicate = {
  of: (column: string, parameter: string): string => `${column} = ${parameter}`,
};

/**
 * The one gate to PostgreSQL. Every statement runs confined to the current workspace (`app.workspace_id`, checked by
 * forced row-level security) or, through `system()`, as the platform itself.
 */
@Injectable()
export class Database implements OnModuleDestroy {
  private announced: () => void = () => undefined;
  private shares: ConnectionShares | null = null;
  private readLanes: ReadLanes | null = null;
  /** Workspaces whose clock may be ahead of the real one. */
  readonly sandboxes = new Sandboxes((text, values) => this.ask(text, values));

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Whoever reads while the process ends does so through the pool: the connection of a lane would keep that from its end. */
  onModuleDestroy(): void {
    this.lanes().close();
  }

  /** Sets what happens after each commit that wrote event rows; must not throw or take long. */
  onEvents(announced: () => void): void {
    this.announced = announced;
  }

  /** Grows whenever connections of quick reads are lost: what was read before may have been read from another PostgreSQL. */
  readonly losses = (): number => this.lanes().losses;

  /** The rows of one statement in the current workspace, in one flush; inside a unit of work it sees that transaction's writes. */
  read<Row extends object>(statement: Query<Row>): Promise<Row[]> {
    return promised(() => {
      const { transaction } = current();
      if (transaction) return transaction.rows([statement]).then(([rows = []]) => rows as Row[]);
      return this.flush(statement, true, (rows, batch, index) => batch.named(index, rows) as Row[]);
    });
  }

  /** The same; rows as arrays of texts. For measured hot paths alone: such files say so (`npm run walls`). */
  rawRead(statement: Statement): Promise<RawRow[]> {
    return promised(() => {
      const { transaction } = current();
      if (transaction) return transaction.batch([statement]).then(([rows = []]) => rows);
      const lane = this.lanes().take(statement);
      if (lane && statement.several) return lane.read(currentWorkspaceId(), statement, toApiError);
      return this.flush(statement, false, (rows) => rows, lane);
    });
  }

  /**
   * A unit of work: one transaction in the current workspace. Joins the open one, if any. Deadlocks, serialisation
   * failures and `ChosenGone` are tried again (at most 3 times), so `work` must have no effects outside PostgreSQL;
   * put those into `afterCommit`.
   */
  transaction<T>(work: () => Promise<T>): Promise<T> {
    return promised(() => {
      const context = current();
      if (context.transaction) return context.transaction.join(work);
      return this.begin(context, beginningIn(currentWorkspaceId(), context.clockAheadMs), work);
    });
  }

  /** A transaction of the platform itself, across workspaces. For the command, sweepers and start-up only. */
  async system<T>(work: () => Promise<T>): Promise<T> {
    const context = newContext(currentOrNone()?.requestId ?? randomUUID());
    return runInContext(context, () => this.begin(context, [{ text: 'SET LOCAL ROLE helpdesk_system' }], work));
  }

  /**
   * The same for what is found or done again after a crash of PostgreSQL (who claimed which work): the commit does not wait for the disk. What
   * others have read of it is still never overtaken by their commits.
   */
  async bookkeeping<T>(work: () => Promise<T>): Promise<T> {
    const context = newContext(currentOrNone()?.requestId ?? randomUUID());
    return runInContext(context, () => this.begin(context, [{ text: 'SET LOCAL ROLE helpdesk_system' }, HASTY], work));
  }

  /** Runs a job in a workspace, as an actor, or what a caller without a token asks for; with a context of its own. */
  async inWorkspace<T>(
    workspaceId: number,
    who: Actor | Principal,
    work: () => Promise<T>,
    causation?: Causation,
  ): Promise<T> {
    const clientAddress = currentOrNone()?.clientAddress ?? null;
    const caller = 'kind' in who ? { principal: who, actor: who.actor } : { actor: who };
    const ahead = this.sandboxes.aheadMs(workspaceId);
    const clockAheadMs = ahead === 0 ? 0 : await ahead;
    const context = { workspaceId, ...caller, clockAheadMs, clientAddress, ...(causation ? { causation } : {}) };
    return runInContext(newContext(randomUUID(), context), work);
  }

  /** Rows as objects, inside the current unit of work. */
  async query<R extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.open().query<R>(text, values);
  }

  /**
   * Statements in one round trip inside the current unit of work; the rows of each, under its name.
   *
   * @param last the unit of work ends with them, so they may take its COMMIT along
   */
  async batch<Q extends Queries>(queries: Q, last = false): Promise<Answers<Q>> {
    const rows = await this.open().rows(Object.values(queries), last);
    return Object.fromEntries(Object.keys(queries).map((name, index) => [name, rows[index] ?? []])) as Answers<Q>;
  }

  /** The same where nobody looks at the rows. */
  async run(statements: readonly Statement[], last = false): Promise<void> {
    await this.open().batch(statements, last);
  }

  /** The same for who need not wait, and does not: they leave ahead of the next statement of the unit of work, in its flush. */
  later(statements: readonly Statement[]): Promise<void> {
    this.open().later(statements);
    return Promise.resolve();
  }

  /** The same; rows as arrays of texts. For measured hot paths alone: such files say so (`npm run walls`). */
  rawBatch(statements: readonly Statement[], last = false): Promise<RawRow[][]> {
    return promised(() => this.open().batch(statements, last));
  }

  /** Runs `work` behind a savepoint of the current unit of work. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    return this.open().savepoint(work);
  }

  /** The time of all that the current unit of work does: when it began, by PostgreSQL's clock, as `now()` stores it; ISO 8601, milliseconds. */
  async moment(): Promise<string> {
    const transaction = this.open();
    if (transaction.moment === null) await transaction.batch([]);
    if (transaction.moment !== null) return transaction.moment;
    const [rows] = await transaction.batch([{ text: `SELECT ${MOMENT}` }]);
    return (transaction.moment = rows?.[0]?.[0] ?? '');
  }

  /** From here on the current unit of work is dated by a clock that is so far ahead, in ms: where clocks are moved, and work of such a workspace is done. */
  async setClock(aheadMs: number): Promise<void> {
    const transaction = this.open();
    await transaction.batch([setClock(aheadMs)]);
    transaction.isApart = aheadMs > 0;
    transaction.moment = null;
    current().clockAheadMs = aheadMs;
  }

  /** TypeORM's entity manager inside the current unit of work. */
  async manager(): Promise<EntityManager> {
    return this.open().manager();
  }

  /** Runs `effect` once the current unit of work has committed; at once when there is none. */
  afterCommit(effect: () => void | Promise<void>): void {
    const { transaction } = current();
    if (transaction) transaction.afterCommit.push(effect);
    else void effect();
  }

  /** A connection from the pool; the caller releases it. 503 when none is free in time or PostgreSQL is away. */
  connect(): Promise<PoolClient> {
    const pool = poolOf(this.dataSource);
    return new Promise((resolve, reject) => {
      pool.connect((error, client) => {
        if (client) resolve(client);
        else reject(toApiError(error));
      });
    });
  }

  /** A connection for the work of a workspace, out of its share of the pool; for the platform itself (null) out of all. */
  private connectFor(workspaceId: number | null): Promise<PoolClient> {
    if (workspaceId === null) return this.connect();
    const shares = (this.shares ??= sharesOf(poolOf(this.dataSource)));
    return shares.taken(workspaceId, () => this.connect());
  }

  /** One statement outside of a unit of work, confined in the same flush. */
  private async flush<T>(
    statement: Statement,
    described: boolean,
    take: (rows: RawRow[], batch: StatementBatch, index: number) => T,
    lane = this.lanes().take(statement),
  ): Promise<T> {
    const workspaceId = currentWorkspaceId();
    if (lane) {
      try {
        const batch = lane.send(workspaceId, statement, described);
        return take((await batch.result)[0] ?? [], batch, 0);
      } catch (error) {
        throw toApiError(error);
      }
    }
    const client = await this.connectFor(workspaceId);
    let broken: Error | undefined;
    try {
      const statements = confined(workspaceId, current().clockAheadMs, statement);
      const place = statements.length - 1;
      const batch = new StatementBatch(statements, described ? [place, place + 1] : undefined);
      client.query(batch);
      return take((await batch.result)[place] ?? [], batch, place);
    } catch (error) {
      broken = connectionLost(error);
      throw toApiError(error);
    } finally {
      this.giveBack(client, workspaceId, broken);
    }
  }

  private async ask<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.bookkeeping(() => this.batch({ rows: sql<Row>(text, values) }, true))).rows;
  }

  private lanes(): ReadLanes {
    return (this.readLanes ??= new ReadLanes(poolOf(this.dataSource)));
  }

  private giveBack(client: PoolClient, workspaceId: number | null, broken?: Error): void {
    client.release(broken);
    if (workspaceId !== null) this.shares?.leave(workspaceId);
  }

  private open(): Transaction {
    const { transaction } = current();
    if (!transaction) throw new Error('This needs an open unit of work: wrap it in Database.transaction().');
    return transaction;
  }

  private begin<T>(
    context: Context,
    confinement: readonly Statement[],
    work: () => Promise<T>,
    attempt = 1,
  ): Promise<T> {
    return this.attempt(context, confinement, work).catch(async (error: unknown) => {
      if (attempt > RETRIES || !isRetryable(error)) throw toApiError(error);
      await sleep(Math.random() * JITTER_MS * 2 ** attempt);
      return this.begin(context, confinement, work, attempt + 1);
    });
  }

  private async attempt<T>(context: Context, confinement: readonly Statement[], work: () => Promise<T>): Promise<T> {
    const { workspaceId } = context;
    const client = await this.connectFor(workspaceId);
    const transaction = new Transaction(this.dataSource, client, confinement);
    transaction.isApart = workspaceId !== null && context.clockAheadMs > 0;
    context.transaction = transaction;
    let broken: Error | undefined;
    let value: T;
    try {
      value = await work();
      await transaction.commit();
    } catch (error) {
      broken = connectionLost(error);
      if (!broken) await transaction.rollback().catch((reason: unknown) => (broken = reason as Error));
      throw error;
    } finally {
      context.transaction = null;
      this.giveBack(client, workspaceId, broken);
    }
    if (transaction.announces) this.announced();
    for (const effect of transaction.afterCommit) await effect();
    return value;
  }
}

/** The pg pool inside TypeORM's data source: one pool for everything. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
