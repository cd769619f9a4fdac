import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import { INSERT_JOBS } from '../../../platform/queue/job-table';

/** Kind of the job that makes a run of the engine; stored, so it keeps its first name. */
export const RUN_JOB = 'automation_pass';

/** Of one ticket, one after the other: further nobody looks. */
const MOST_MERGES = 100;

/** Where a merged ticket goes on: the end of the chain of merges. */
const GOES_ON = `(WITH RECURSIVE chain AS (
     SELECT e.object_id AS id, 0 AS step
     UNION ALL
     SELECT t.merged_into_id, c.step + 1 FROM chain c JOIN tickets t ON t.workspace_id = e.workspace_id AND t.id = c.id
     WHERE t.merged_into_id IS NOT NULL AND c.step < ${MOST_MERGES}
   ) SELECT id FROM chain ORDER BY step DESC LIMIT 1)`;

/** Runs of the events that some active rule of their workspace waits for, and their jobs. */
const RUNS = `WITH run AS (
   INSERT INTO automation_passes (workspace_id, event_id, event, object, object_id, root_event_id)
   SELECT e.workspace_id, e.id, e.type, e.object, CASE e.type WHEN 'ticket.merged' THEN ${GOES_ON} ELSE e.object_id END, e.causation ->> 'root_event_id'
   FROM json_to_recordset($1::json) AS v(workspace_id bigint, id bigint)
   JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id
   WHERE EXISTS (SELECT FROM automations a WHERE a.workspace_id = e.workspace_id AND a.is_active AND a.trigger_event = e.type)
   ORDER BY e.id
   RETURNING workspace_id, id, object_id
 )
 ${INSERT_JOBS}
 SELECT workspace_id, '${RUN_JOB}', id, object_id FROM run ORDER BY id`;

/**
 * Makes a run of every event that an active rule of its workspace listens to, about the record that it happened to. A merged
 * ticket may not change any more: rules for that event are about the ticket that it goes on in.
 */
@Injectable()
export class AutomationConsumer implements EventConsumer {
  readonly name = 'automations';

  constructor(private readonly database: Database) {}

  /** Events about automations start nothing: a rule would be the cause of its own run. */
  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const possible = events.filter(({ object }) => object !== 'automation');
    if (possible.length === 0) return;
    const pairs = JSON.stringify(possible.map(({ workspace_id, id }) => ({ workspace_id, id })));
    await this.database.later([{ text: RUNS, values: [pairs] }]);
  }
}
