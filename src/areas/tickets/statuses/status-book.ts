// Own reads: new tickets ask for them, in a round trip that other quick reads share, which a repository would not.
import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { WorkspaceFacts } from '../../../platform/database/workspace-facts';
import { sql } from '../../../platform/postgres/statement-batch';
import type { KnownStatus } from './status-choice';

/** The statuses of the current workspace, from memory: every new ticket asks for them. */
@Injectable()
export class StatusBook {
  /** In the order of their positions. */
  readonly all: () => Promise<readonly KnownStatus[]>;

  constructor(
    private readonly facts: WorkspaceFacts,
    private readonly database: Database,
  ) {
    this.all = facts.declare(() => this.load());
  }

  /** To be called in the unit of work that changes statuses. */
  changed(): void {
    const workspaceId = currentWorkspaceId();
    this.database.afterCommit(() => this.facts.forget(workspaceId));
  }

  private load(): Promise<KnownStatus[]> {
    const text = `SELECT id, status, is_default, is_active FROM ticket_statuses WHERE workspace_id = $1 ORDER BY position, id`;
    return this.database.read({ ...sql<KnownStatus>(text, [currentWorkspaceId()]), quick: true });
  }
}
