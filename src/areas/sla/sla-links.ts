import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../platform/events/event-consumer';
import { JobQueue } from '../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../platform/queue/job-table';
import { SlaRecompute } from './sla-recompute';

/** What names a policy for its tickets: the kind of the job that lets them follow, and their column. */
const NAMED_BY = {
  company: { kind: 'sla_company', column: 'company_id' },
  category: { kind: 'sla_category', column: 'category_id' },
} as const;

/** Open tickets of a company or a category follow in the background when it names another policy. */
@Injectable()
export class SlaLinks implements EventConsumer, OnModuleInit {
  readonly name = 'sla_links';

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly recompute: SlaRecompute,
  ) {}

  onModuleInit(): void {
    for (const { kind, column } of Object.values(NAMED_BY)) {
      const { perGroup, perWorkspace, leaseMs } = this.recompute;
      const perform = async ({ subject_id }: { subject_id: number }): Promise<object> => {
        await this.recompute.ofTickets(`${column} = $2`, subject_id);
        return {};
      };
      this.queue.register({ kind, perGroup, perWorkspace, leaseMs, perform });
    }
  }

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const changed = events.filter(({ type }) => type === 'company.updated' || type === 'category.updated');
    if (changed.length === 0) return;
    const values = [JSON.stringify(changed.map(({ workspace_id, id }) => ({ workspace_id, id })))];
    await this.database.later([{ text: FOLLOW, values }]);
  }
}

const FOLLOW = `${INSERT_JOBS} SELECT e.workspace_id, CASE e.object WHEN 'company' THEN '${NAMED_BY.company.kind}' ELSE '${NAMED_BY.category.kind}' END, e.object_id, e.object_id
  FROM json_to_recordset($1::json) AS v(workspace_id bigint, id bigint)
  JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id
  WHERE e.changes::jsonb ? 'sla_policy_id'`;
