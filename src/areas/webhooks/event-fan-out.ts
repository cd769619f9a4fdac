import { Injectable } from '@nestjs/common';
import { clockNow } from '../../platform/context/clock';
import { Database } from '../../platform/database/database';
import { subscribedName } from '../../platform/events/event-catalogue';
import type { EventConsumer, OutboxEvent } from '../../platform/events/event-consumer';
import { INSERT_JOBS } from '../../platform/queue/job-table';
import { type FilterableEvent, passes, type WebhookFilter } from './webhook-filter';
import { DELIVERY_JOB } from './webhook-values';

/** An event on its way to an endpoint, under the name that it subscribed with. */
interface Wanted {
  event: OutboxEvent;
  subscriber: Subscriber;
  name: string;
}

interface Subscriber {
  workspace_id: number;
  id: number;
  events: string[];
  filter: WebhookFilter | null;
}

const SUBSCRIBERS = `
  SELECT workspace_id, id, events, filter FROM webhooks WHERE workspace_id = ANY($1::bigint[]) AND is_active ORDER BY id`;

/**
 * The constraint keeps an event from being delivered twice to an endpoint, however often it comes by; jobs are only made
 * of what was inserted.
 */
const INSERT = `
  WITH d AS (
    INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_row, event_id, event)
    SELECT v.w, v.h, v.r, v.u, v.t FROM json_to_recordset($1::json) AS v(n integer, w bigint, h bigint, r bigint, u text, t text)
    ORDER BY v.n
    ON CONFLICT (workspace_id, webhook_id, event_row) DO NOTHING
    RETURNING workspace_id, id, webhook_id)
  ${INSERT_JOBS}
  SELECT d.workspace_id, '${DELIVERY_JOB}', d.id, d.webhook_id FROM d ORDER BY d.id`;

/** Makes deliveries of events: one for each active endpoint that subscribed to it. */
@Injectable()
export class EventFanOut implements EventConsumer {
  readonly name = 'webhooks';

  constructor(private readonly database: Database) {}

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const wanted = await this.wanted(events);
    if (wanted.length === 0) return;
    const rows = wanted.map(({ event: { workspace_id: w, id: r, uid: u }, subscriber: { id: h }, name: t }, n) => ({
      n,
      w,
      h,
      r,
      u,
      t,
    }));
    await this.database.later([{ text: INSERT, values: [JSON.stringify(rows)] }]);
  }

  private async wanted(events: readonly OutboxEvent[]): Promise<Wanted[]> {
    const workspaces = [...new Set(events.map(({ workspace_id }) => workspace_id))];
    const subscribers = await this.database.read<Subscriber>({ text: SUBSCRIBERS, values: [workspaces] });
    if (subscribers.length === 0) return [];
    const byWorkspace = new Map<number, Subscriber[]>(workspaces.map((id) => [id, []]));
    for (const subscriber of subscribers) byWorkspace.get(subscriber.workspace_id)?.push(subscriber);
    const wanted = events.flatMap((event) =>
      (byWorkspace.get(event.workspace_id) ?? []).flatMap((subscriber): Wanted[] => {
        const name = nameFor(event, subscriber);
        return name === null ? [] : [{ event, subscriber, name }];
      }),
    );
    return this.filtered(wanted);
  }

  /** Only events that a filter looks at are read. */
  private async filtered(wanted: Wanted[]): Promise<Wanted[]> {
    const looked = wanted.filter(({ subscriber }) => subscriber.filter !== null).map(({ event }) => event);
    if (looked.length === 0) return wanted;
    const rows = await this.database.query<FilterableEvent & { workspace_id: number; id: number }>(
      `SELECT e.workspace_id, e.id, e.type, e.object, e.actor, e.data, e.changes
       FROM json_to_recordset($1::json) AS v(workspace_id bigint, id bigint)
       JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id`,
      [JSON.stringify([...new Set(looked)].map(({ workspace_id, id }) => ({ workspace_id, id })))],
    );
    const known = new Map(rows.map((row) => [`${row.workspace_id}/${row.id}`, row]));
    const now = clockNow();
    return wanted.filter(({ event: { workspace_id, id }, subscriber: { filter } }) => {
      const event = filter === null ? null : known.get(`${workspace_id}/${id}`);
      return event === null || (event !== undefined && passes(filter, event, now));
    });
  }
}

/** Null where it is not delivered. An endpoint is not told about itself: it is usually the one that cannot be reached. */
function nameFor({ type, object, object_id }: OutboxEvent, { id, events }: Subscriber): string | null {
  return object === 'webhook' && object_id === id ? null : subscribedName(events, type);
}
