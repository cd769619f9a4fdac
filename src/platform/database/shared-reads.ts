import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId, newContext, runInContext } from '../context/current';
import type { Query, Statement } from '../postgres/statement-batch';
import { Database } from './database';
import { SingleFlight } from './single-flight';

/**
 * Dear reads that many make at one time (boards that everybody looks at): the same statement of a workspace with the same
 * values runs once for all who wait for it, after the last of them has come. What may differ between callers, such as what
 * they may see, must be in the statement or its values, where it belongs anyway.
 */
@Injectable()
export class SharedReads {
  private readonly flights = new SingleFlight();

  constructor(private readonly database: Database) {}

  /** `Database.read`; the rows are others', too: not to be changed. */
  read<Row extends object>(statement: Query<Row>): Promise<readonly Row[]> {
    return this.of(statement, () => this.database.read(statement));
  }

  /**
   * The same where more than one statement is needed to ask it.
   *
   * @param question the statement that tells one question from another
   * @param ask runs outside of the caller's own request, in its workspace
   */
  of<T>(question: Statement, ask: () => Promise<T>): Promise<T> {
    const { transaction, requestId, principal, actor, clockAheadMs } = current();
    // What this unit of work has written is nobody else's yet.
    if (transaction) return ask();
    const workspaceId = currentWorkspaceId();
    const context = { workspaceId, principal, actor, clockAheadMs };
    const key = `${workspaceId} ${JSON.stringify(question.values ?? [])} ${question.text}`;
    return this.flights.of(key, () => runInContext(newContext(requestId, context), ask));
  }
}
