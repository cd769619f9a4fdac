import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import type { JobHandler, Job, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { parseListQuery } from '../../../platform/resource/read/list-query';
import { findPage } from '../../../platform/resource/read/page';
import { ResourceKernel } from '../../../platform/resource/resource-kernel';
import { parseSelection } from '../../../platform/resource/read/selection';
import { ownJson } from '../../../platform/text/json';
import { RUN_JOB } from './consumer';
import { Rules } from './rules';
import { TICK_JOB } from './schedule';

/** Tickets that one tick of a schedule looks at: the ones that nobody has touched for longest. */
const MAX_TICKETS_PER_TICK = 500;
const PAGE = 100;

/** Finds the tickets that a schedule is about, and makes a run of its one rule for each. */
@Injectable()
export class TickHandler implements JobHandler, OnModuleInit {
  readonly kind = TICK_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 4;
  readonly leaseMs = 60_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly kernel: ResourceKernel,
    private readonly rules: Rules,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ subject_id: id }: Job): Promise<JobOutcome> {
    const rule = await this.database.transaction(() => this.rules.find(id));
    if (rule?.trigger.event !== 'schedule') return {};
    try {
      const tickets = await this.tickets(rule.trigger.query ?? {});
      return tickets.length === 0 ? {} : { settle: () => this.settle(id, tickets) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.type === 'service_unavailable') throw error;
      return { settle: () => this.blame(id, error.message) };
    }
  }

  /** Ids by the filters of `GET /tickets`. */
  private async tickets(query: Readonly<Record<string, string>>): Promise<number[]> {
    const resource = await this.kernel.named('tickets');
    if (!resource) return [];
    const selection = parseSelection(resource, { fields: 'id' });
    const asked = { ...query, sort: 'updated_at', per_page: String(PAGE) };
    const plan = parseListQuery(resource, asked, selection);
    const ids: number[] = [];
    for (let position = plan.position; ids.length < MAX_TICKETS_PER_TICK;) {
      const page = await findPage(this.database, resource, { ...plan, position }, {});
      ids.push(...ownJson<{ id: number }[]>(String(page.text)).map(({ id }) => id));
      if (page.rows < PAGE || !page.last) break;
      position = { direction: 'after', sort: 'updated_at', ...page.last };
    }
    return ids.slice(0, MAX_TICKETS_PER_TICK);
  }

  /** Every run is the beginning of a chain of its own. */
  private async settle(id: number, tickets: readonly number[]): Promise<void> {
    await this.database.query(
      `WITH run AS (
         INSERT INTO automation_passes (workspace_id, event, object, object_id, automation_id, root_event_id)
         SELECT $1, 'schedule', 'ticket', t.id, a.id, 'evt_' || replace(gen_random_uuid()::text, '-', '')
         FROM unnest($3::bigint[]) WITH ORDINALITY AS t(id, n) JOIN automations a ON a.workspace_id = $1 AND a.id = $2 AND a.is_active
         ORDER BY t.n
         RETURNING id, object_id
       )
       ${INSERT_JOBS} SELECT $1, '${RUN_JOB}', id, object_id FROM run ORDER BY id`,
      [currentWorkspaceId(), id, tickets],
    );
    this.database.afterCommit(() => this.queue.wake());
  }

  private async blame(id: number, message: string): Promise<void> {
    await this.database.query(`UPDATE automations SET last_error = $3 WHERE workspace_id = $1 AND id = $2`, [
      currentWorkspaceId(),
      id,
      `The tickets of the schedule could not be found: ${message}`,
    ]);
  }
}
