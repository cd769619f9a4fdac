import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import type { Row } from '../../../platform/resource/rows';
import { UsersService } from '../../users/users.service';
import type { DirectoryConnection } from '../connections/connection.entity';
import type { PlannedChange, Result } from '../engine/plan';
import { STAGES } from '../engine/plan';
import type { Outcome } from './outcome';
import { GroupApplier } from './group-applier';
import { PersonApplier } from './person-applier';
import { settleReferences } from './references';

/** Changes of one unit of work: so long it holds what users are changed under. */
const BATCH = 20;

interface ToDo {
  id: number;
  plan: PlannedChange;
}

/** What a rule of ours refuses is no failure of the directory. */
const REFUSALS: Readonly<Record<string, Result>> = { last_owner: 'skipped', cycle: 'warning' };
const UNCLEAN = {
  code: 'unclean',
  message: 'Some objects of the run failed; what is missing counts only after one without failures.',
};

/**
 * Does the changes of a run, a few in each unit of work together with the note that they are done: what dies in between is done by
 * whoever comes next, once. Each object on its own: what fails changes nothing.
 */
@Injectable()
export class RunApplier {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly people: PersonApplier,
    private readonly groups: GroupApplier,
  ) {}

  /** Does the next changes, as the directory; false when there are none left, or the run was stopped. */
  piece(runId: number, connection: Row<DirectoryConnection>): Promise<boolean> {
    const actor = { type: 'directory', id: connection.id, name: connection.name } as const;
    return this.database.inWorkspace(currentWorkspaceId(), actor, () =>
      // What users are changed under comes before any row.
      this.users.holding(async () => {
        const changes = await this.next(runId);
        for (const change of changes) await this.one(runId, connection, change);
        const objects = changes.flatMap(({ plan }) => plan.person ?? plan.group ?? []);
        await settleReferences(this.database, connection.id, objects);
        return changes.length > 0;
      }),
    );
  }

  /** The next changes of a run that is running, which stays so meanwhile. */
  private next(runId: number): Promise<ToDo[]> {
    return this.database.query<ToDo>(
      `SELECT c.id, c.plan FROM directory_changes c WHERE c.workspace_id = $1 AND c.run_id = $2 AND c.result = 'planned'
         AND EXISTS (SELECT FROM directory_runs r WHERE r.workspace_id = $1 AND r.id = $2 AND r.status = 'running' FOR SHARE)
       ORDER BY c.stage, c.id LIMIT ${BATCH}`,
      [currentWorkspaceId(), runId],
    );
  }

  private async one(runId: number, connection: Row<DirectoryConnection>, { id, plan }: ToDo): Promise<void> {
    const { result, error, user_id } = await this.outcomeOf(runId, connection, plan);
    await this.database.query(
      `UPDATE directory_changes SET result = $3, error = $4, user_id = $5, applied_at = now(), plan = NULL, version = version + 1
       WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), id, result, error && JSON.stringify(error), user_id],
    );
  }

  private async outcomeOf(runId: number, connection: Row<DirectoryConnection>, plan: PlannedChange): Promise<Outcome> {
    if (plan.stage === STAGES.missing && (await this.hasFailures(runId)))
      return { result: 'skipped', error: UNCLEAN, user_id: null };
    try {
      return await this.database.savepoint(() =>
        plan.object === 'group'
          ? this.groups.apply(runId, connection.id, plan)
          : this.people.apply(runId, connection, plan),
      );
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 422) throw error;
      const [detail] = error.extras.details ?? [];
      const code = detail?.code ?? 'invalid';
      const reason = { code, message: detail?.message ?? error.message };
      return { result: REFUSALS[code] ?? 'failure', error: reason, user_id: null };
    }
  }

  private async hasFailures(runId: number): Promise<boolean> {
    const [found] = await this.database.query<{ failed: boolean }>(
      `SELECT EXISTS (SELECT FROM directory_changes WHERE workspace_id = $1 AND run_id = $2 AND result = 'failure') AS failed`,
      [currentWorkspaceId(), runId],
    );
    return found?.failed ?? false;
  }
}
