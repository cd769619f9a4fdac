import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { matchesEvent } from '../../platform/events/event-catalogue';
import type { EventConsumer, OutboxEvent } from '../../platform/events/event-consumer';
import { sql } from '../../platform/postgres/statement-batch';
import { INSERT_JOBS } from '../../platform/queue/job-table';
import { MAIL_REPLY_JOB } from './mail-reply';

/** Kind of the job that sends one event through one installation; its subject is a row of `integration_deliveries`. */
export const DELIVERY_JOB = 'integration_delivery';

interface Subscriber {
  id: number;
  workspace_id: number;
  provider: string;
  events: string[];
  /** The installation wants agents' comments mailed to requesters. */
  sends_replies: boolean;
}

const SUBSCRIBERS = `
  SELECT id, workspace_id, provider, events,
    provider IN ('imap', 'smtp') AND coalesce((config ->> 'send_replies')::boolean, true) AS sends_replies
  FROM integrations WHERE status = 'active' AND workspace_id = ANY($1::bigint[]) ORDER BY id`;

/** Makes deliveries of events for the active installations that subscribe to them. */
@Injectable()
export class IntegrationConsumer implements EventConsumer {
  readonly name = 'integrations';

  constructor(private readonly database: Database) {}

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const workspaces = [...new Set(events.map(({ workspace_id }) => workspace_id))];
    const subscribers = await this.database.read<Subscriber>({ text: SUBSCRIBERS, values: [workspaces] });
    if (subscribers.length === 0) return;
    await this.deliver(events, subscribers);
    await this.reply(events, subscribers);
  }

  private async deliver(events: readonly OutboxEvent[], subscribers: readonly Subscriber[]): Promise<void> {
    const deliveries = events.flatMap((event) =>
      subscribers
        .filter(
          ({ id, workspace_id, events: wanted }) =>
            workspace_id === event.workspace_id &&
            // What happens to an installation is no news to itself, and it may be why it cannot be told.
            !(event.object === 'integration' && event.object_id === id) &&
            matchesEvent(wanted, event.type),
        )
        .map(({ id, workspace_id }) => ({ workspace_id, integration_id: id, event_id: event.id })),
    );
    if (deliveries.length === 0) return;
    await this.database.later([
      sql(
        `WITH made AS (
         INSERT INTO integration_deliveries (workspace_id, integration_id, event_id)
         SELECT v.workspace_id, v.integration_id, v.event_id
         FROM json_to_recordset($1::json) AS v(workspace_id bigint, integration_id bigint, event_id bigint)
         ON CONFLICT DO NOTHING RETURNING workspace_id, id, integration_id
       )
       ${INSERT_JOBS}
       SELECT workspace_id, '${DELIVERY_JOB}', id, integration_id FROM made ORDER BY id`,
        [JSON.stringify(deliveries)],
      ),
    ]);
  }

  /** Public comments on tickets that came by mail; whether one is to be mailed is looked at again when it is. */
  private async reply(events: readonly OutboxEvent[], subscribers: readonly Subscriber[]): Promise<void> {
    const replying = new Set(subscribers.filter((each) => each.sends_replies).map(({ workspace_id }) => workspace_id));
    const comments = events.filter(
      ({ type, workspace_id }) => type === 'ticket.comment_added' && replying.has(workspace_id),
    );
    if (comments.length === 0) return;
    await this.database.later([
      sql(
        `${INSERT_JOBS}
       SELECT e.workspace_id, '${MAIL_REPLY_JOB}', e.id, e.object_id
       FROM json_to_recordset($1::json) AS v(workspace_id bigint, id bigint)
       JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id
       WHERE e.data ->> 'channel' = 'email' AND e.related #>> '{comment,is_internal}' = 'false'
         AND e.related #>> '{comment,author_type}' <> 'requester' ORDER BY e.id`,
        [JSON.stringify(comments.map(({ workspace_id, id }) => ({ workspace_id, id })))],
      ),
    ]);
  }
}
