import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import { laterMoment } from './report-moments';

/** Reports leave on the clocks of their workspace: when its zone changes, so do the moments that were planned. */
@Injectable()
export class ReportZones implements EventConsumer {
  readonly name = 'reports';

  constructor(private readonly database: Database) {}

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const changed = events.filter(({ type }) => type === 'workspace.updated');
    if (changed.length === 0) return;
    const named = changed.map(({ workspace_id, id }) => ({ workspace_id, id }));
    const planned = await this.database.query<{ workspace_id: number; id: number; schedule: string; timezone: string }>(
      PLANNED,
      [JSON.stringify(named)],
    );
    if (planned.length === 0) return;
    const clock = await this.database.sandboxes.clocks(planned.map(({ workspace_id }) => workspace_id));
    const plans = planned.map(({ workspace_id, id, ...report }) => {
      return { workspace_id, id, next: laterMoment(report, clock(workspace_id)) };
    });
    await this.database.query(PLAN, [JSON.stringify(plans)]);
  }
}

/** What is due already leaves as it was planned. */
const PLANNED = `
  SELECT s.workspace_id, s.id, s.schedule, w.timezone FROM report_schedules s JOIN workspaces w ON w.id = s.workspace_id
  WHERE s.due_at > now() AND s.workspace_id IN (
    SELECT e.workspace_id FROM json_to_recordset($1::json) AS v(workspace_id bigint, id bigint)
    JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id WHERE e.changes -> 'timezone' IS NOT NULL
  ) ORDER BY s.workspace_id, s.id FOR UPDATE OF s`;

const PLAN = `
  UPDATE report_schedules s SET due_at = p.next, next_send_at = p.next, version = s.version + 1
  FROM json_to_recordset($1::json) AS p(workspace_id bigint, id bigint, next timestamptz)
  WHERE s.workspace_id = p.workspace_id AND s.id = p.id AND s.due_at IS DISTINCT FROM p.next`;
