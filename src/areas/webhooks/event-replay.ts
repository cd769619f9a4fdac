import { Injectable } from '@nestjs/common';
import { clockNow } from '../../platform/context/clock';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { JobQueue } from '../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../platform/queue/job-table';
import { DeliveriesService, MAX_QUEUED, Queued, requireRange } from './deliveries.service';
import { subscribedName } from '../../platform/events/event-catalogue';
import { requireSubscribable, typesOf } from './webhook-events';
import { type FilterableEvent, passes, type WebhookFilter } from './webhook-filter';
import { DELIVERY_JOB } from './webhook-values';
import type { ReplayEvents } from './webhook.dto';
import { Webhook } from './webhook.entity';
import { MomentMember } from '../../platform/http/answer-members';

const BATCH = 1_000;

interface StoredEvent extends FilterableEvent {
  id: number;
  uid: string;
  created_at: string;
}

/** With the name that the endpoint subscribed with. */
interface NamedEvent extends StoredEvent {
  name: string;
}

/** What a replay has queued; `next_since` is where to go on when it is not complete. */
export class Replayed extends Queued {
  @MomentMember({ nullable: true, description: 'The `since` of the next call when there is more.' })
  next_since: string | null;
}

/** An endpoint never hears of itself, in a replay either. What was read last is told apart by moment and id. */
const EVENTS = `
  SELECT e.id, e.uid, e.type, e.object, e.created_at, e.actor, e.changes, CASE WHEN $6::boolean THEN e.data END AS data
  FROM events e
  WHERE e.workspace_id = $1 AND e.created_at >= $2::timestamptz AND e.created_at < $3::timestamptz AND e.type = ANY($4::text[])
    AND NOT (e.object = 'webhook' AND e.object_id = $5) AND (e.created_at > $2::timestamptz OR e.id > $7)
  ORDER BY e.created_at, e.id LIMIT ${BATCH}`;

/** What is under way stays as it is. */
const QUEUE = `
  WITH d AS (
    INSERT INTO webhook_deliveries AS d (workspace_id, webhook_id, event_row, event_id, event)
    SELECT $1, $2, v.id, v.uid, v.name FROM json_to_recordset($3::json) AS v(n integer, id bigint, uid text, name text) ORDER BY v.n
    ON CONFLICT (workspace_id, webhook_id, event_row) DO UPDATE SET status = 'pending', next_attempt_at = NULL
      WHERE d.status IN ('succeeded', 'failed', 'cancelled')
    RETURNING d.id),
  queued AS (
    ${INSERT_JOBS} SELECT $1, '${DELIVERY_JOB}', d.id, $2 FROM d ORDER BY d.id)
  SELECT count(*) AS queued FROM d`;

/** Delivers again what happened in a span of time, also what was never delivered because the endpoint was not there. */
@Injectable()
export class EventReplay {
  constructor(
    @InjectWorkspaceRepository(Webhook) private readonly endpoints: WorkspaceRepository<Webhook>,
    private readonly database: Database,
    private readonly deliveries: DeliveriesService,
    private readonly queue: JobQueue,
  ) {}

  async replay(
    webhookId: number,
    { since, until, events }: ReplayEvents,
    expected: ExpectedVersions,
  ): Promise<Replayed> {
    const [from, to] = requireRange(since, until);
    if (events !== undefined) requireSubscribable('events', events);
    return this.database.transaction(async () => {
      const subscribed = await this.deliveries.requireActive(webhookId, expected);
      const asked = events === undefined ? null : typesOf(events);
      const types = typesOf(subscribed).filter((type) => asked?.includes(type) ?? true);
      const filter = await this.filterOf(webhookId);
      let queued = 0;
      let position = { at: from, id: 0 };
      let end = to;
      for (let read = BATCH; ; read += BATCH) {
        const batch = await this.eventsAfter(position, end, types, webhookId, filter !== null);
        queued += await this.enqueue(webhookId, named(batch, subscribed), filter);
        const last = batch.at(-1);
        if (!last || batch.length < BATCH) break;
        position = { at: last.created_at, id: last.id };
        // A moment is done with as a whole, as one change may make more events than a call takes; the next call goes on behind it.
        if (read >= MAX_QUEUED && end === to) end = earlier(to, behind(last.created_at));
      }
      const complete = end === to;
      return this.done({ queued, complete, next_since: complete ? null : end });
    });
  }

  private done(replayed: Replayed): Replayed {
    this.database.afterCommit(() => this.queue.wake());
    return replayed;
  }

  private async filterOf(webhookId: number): Promise<WebhookFilter | null> {
    const webhook = await this.endpoints.findOne({ select: { filter: true }, where: { id: webhookId } });
    return webhook?.filter ?? null;
  }

  private eventsAfter(
    position: { at: string; id: number },
    to: string,
    types: readonly string[],
    webhookId: number,
    whole: boolean,
  ): Promise<StoredEvent[]> {
    const values = [currentWorkspaceId(), position.at, to, types, webhookId, whole, position.id];
    return this.database.query<StoredEvent>(EVENTS, values);
  }

  private async enqueue(
    webhookId: number,
    events: readonly NamedEvent[],
    filter: WebhookFilter | null,
  ): Promise<number> {
    const now = clockNow();
    const rows = events
      .filter((event) => passes(filter, event, now))
      .map(({ id, uid, name }, n) => ({ n, id, uid, name }));
    if (rows.length === 0) return 0;
    const values = [currentWorkspaceId(), webhookId, JSON.stringify(rows)];
    const [row] = await this.database.read<{ queued: number }>({ text: QUEUE, values });
    return row?.queued ?? 0;
  }
}

const named = (events: readonly StoredEvent[], subscribed: readonly string[]): NamedEvent[] =>
  events.map((event) => ({ ...event, name: subscribedName(subscribed, event.type) ?? event.type }));

/** Both ISO 8601 with milliseconds, in UTC. */
const earlier = (one: string, other: string): string => (one < other ? one : other);

const behind = (moment: string): string => new Date(Date.parse(moment) + 1).toISOString();
