import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/errors/api-error';
import type { ListResult } from '../../../platform/http/results';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';
import { AutomationRun } from './automation-run.entity';

const PRUNE_EVERY_MS = 60_000;
const PRUNE_BATCH = 5_000;

/** The log of automations, by automation and by ticket, newest first; also after the deletion of either. */
@Injectable()
export class AutomationRunsService implements OnModuleInit {
  constructor(
    @InjectReader(AutomationRun) private readonly records: Reader<AutomationRun>,
    private readonly database: Database,
    private readonly jobs: PeriodicJobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register('automation-run-pruning', PRUNE_EVERY_MS, () => this.prune());
  }

  ofAutomation(id: number, params: ListParams): Promise<ListResult> {
    return this.of('automations', 'automation_id', id, params);
  }

  ofTicket(id: number, params: ListParams): Promise<ListResult> {
    return this.of('tickets', 'ticket_id', id, params);
  }

  /** Evaluations that came to nothing are kept a day, all others 30. Inside `Database.system()`. */
  async prune(): Promise<typeof RUN_AGAIN | undefined> {
    const [row] = await this.database.query<{ n: number }>(
      `WITH old AS (
         (SELECT workspace_id, id FROM automation_runs WHERE status = 'conditions_not_met' AND created_at < now() - interval '24 hours'
          ORDER BY created_at LIMIT ${PRUNE_BATCH})
         UNION
         (SELECT workspace_id, id FROM automation_runs WHERE status <> 'conditions_not_met' AND created_at < now() - interval '30 days'
          ORDER BY created_at LIMIT ${PRUNE_BATCH})
       ), gone AS (
         DELETE FROM automation_runs r USING old WHERE r.workspace_id = old.workspace_id AND r.id = old.id RETURNING 1
       ) SELECT count(*)::integer AS n FROM gone`,
    );
    return (row?.n ?? 0) >= PRUNE_BATCH ? RUN_AGAIN : undefined;
  }

  private async of(
    table: string,
    column: keyof AutomationRun & `${string}_id`,
    id: number,
    params: ListParams,
  ): Promise<ListResult> {
    const page = await this.records.list(params, { [column]: id });
    if (page.total > 0) return page;
    const seen = andSeen(table, 't');
    // Of tickets that are gone nobody knows who would see them: whoever sees only some is told of none.
    const gone = `UNION ALL (SELECT 1 FROM automation_runs WHERE workspace_id = $1 AND ${column} = $2 LIMIT 1)`;
    const text = `SELECT 1 FROM ${table} t WHERE t.workspace_id = $1 AND t.id = $2${seen} ${seen === '' ? gone : ''}`;
    const known = await this.database.read(filled({ text, values: [currentWorkspaceId(), id] }));
    if (known.length === 0) fail('not_found', `No ${table.replace(/s$/, '')} ${id}.`);
    return page;
  }
}
