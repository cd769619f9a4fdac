import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../platform/events/event-consumer';

/** What `audit_label` says, of a record that is read once for all of its members. */
const LABEL = `nullif(left(btrim(coalesce(d.code, d.asset_tag, d.number, '') || ' ' || coalesce(d.name, d.title, d.subject, d.email, d.url, '')), 255), '')`;

/** The first event row of each change becomes the entry; the others give it their types. Each of its JSON texts is read once. */
const INSERT = `
  INSERT INTO audit_logs (workspace_id, id, event_id, event, events, action, resource, resource_id, resource_name,
    actor, actor_type, actor_id, changes, request_id, token_id, ip, causation, created_at)
  SELECT e.workspace_id, e.id, e.uid, e.type,
    (SELECT array_agg(x.type ORDER BY x.position) FROM events x WHERE x.workspace_id = e.workspace_id
       AND x.object = e.object AND x.object_id = e.object_id AND x.id >= e.id AND x.sequence_id = e.sequence_id),
    substr(e.type, strpos(e.type, '.') + 1), e.object, e.object_id, ${LABEL},
    e.actor, a.type, a.id, e.changes, c.request_id, o.token_id, o.ip,
    json_build_object('root_event_id', c.root_event_id, 'depth', c.depth, 'automation_ids', c.automation_ids),
    e.created_at
  FROM json_to_recordset($1::json) AS v(w bigint, e bigint)
  JOIN events e ON e.workspace_id = v.w AND e.id = v.e
  CROSS JOIN LATERAL json_to_record(e.data) AS d(code text, asset_tag text, number text, name text, title text, subject text, email text, url text)
  CROSS JOIN LATERAL json_to_record(e.actor) AS a(type text, id bigint)
  CROSS JOIN LATERAL json_to_record(e.causation) AS c(request_id text, root_event_id json, depth json, automation_ids json)
  CROSS JOIN LATERAL json_to_record(e.origin) AS o(token_id bigint, ip text)
  WHERE e.position = 1 AND EXISTS (SELECT FROM workspaces o WHERE o.id = e.workspace_id)
  ORDER BY e.workspace_id, e.id
  ON CONFLICT (workspace_id, id) DO NOTHING`;

/** Writes the audit log: every change once, in the transaction that takes its events out of the outbox. */
@Injectable()
export class AuditTrail implements EventConsumer {
  readonly name = 'audit';

  constructor(private readonly database: Database) {}

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const rows = events.map(({ workspace_id: w, id: e }) => ({ w, e }));
    await this.database.later([{ text: INSERT, values: [JSON.stringify(rows)] }]);
  }
}
