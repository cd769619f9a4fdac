import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database';
import type { EventConsumer, OutboxEvent } from './event-consumer';

const BATCH = 500;
/** Pauses of an event that a consumer fails on; the last one is repeated for ever. */
const PARKED_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000];

const READY = `retry_at IS NULL ORDER BY event_id LIMIT $1`;
const PARKED = `retry_at <= now() ORDER BY retry_at LIMIT $1`;

const TAKE_READY = take(READY);
const TAKE_PARKED = take(PARKED);

/** Most events concern nobody: then there is nothing to schedule either. */
const JOBS_WAIT = `SELECT 1 WHERE EXISTS (SELECT FROM work WHERE state = 'waiting' AND enqueued_at IS NULL)`;

/** An event whose row is gone (its workspace was deleted) leaves the outbox unannounced. */
function take(which: string): string {
  return `
    WITH next AS MATERIALIZED (
      SELECT workspace_id, event_id FROM event_outbox WHERE ${which} FOR UPDATE SKIP LOCKED),
    taken AS (
      DELETE FROM event_outbox o USING next n WHERE o.workspace_id = n.workspace_id AND o.event_id = n.event_id
      RETURNING o.workspace_id, o.event_id, o.failures)
    SELECT t.event_id AS id, t.workspace_id, t.failures, e.uid, e.type, e.object, e.object_id
    FROM taken t LEFT JOIN events e ON e.workspace_id = t.workspace_id AND e.id = t.event_id
    ORDER BY t.event_id`;
}

/** `uid` is null when the event's row is gone. */
interface TakenRow extends Omit<OutboxEvent, 'uid'> {
  uid: string | null;
  failures: number;
}

/** What became of a batch. */
interface Consumed {
  /** Events that left the outbox. */
  events: number;
  /** Some job waits to be scheduled. */
  jobs: boolean;
}

/**
 * Takes events out of the outbox and hands them to every consumer: all in one transaction, so each event is consumed
 * exactly once, by whichever node. Events of one workspace come in order except where two nodes take at the same
 * moment or one was parked.
 */
@Injectable()
export class EventDispatcher {
  private readonly logger = new Logger(EventDispatcher.name);
  private readonly consumers: EventConsumer[] = [];

  constructor(private readonly database: Database) {}

  /** Adds a consumer; call it in `onModuleInit`. */
  register(consumer: EventConsumer): void {
    this.consumers.push(consumer);
  }

  /**
   * Empties the outbox. One event that a consumer fails on must not stop the others: batches shrink around it until it
   * is alone, then it is parked.
   *
   * @param made runs after every batch that leaves jobs to be scheduled, once that is committed
   * @throws when PostgreSQL is away
   */
  async dispatch(made: () => void): Promise<void> {
    let size = BATCH;
    for (;;) {
      const taken: TakenRow[] = [];
      try {
        const { events, jobs } = await this.consume(TAKE_READY, size, taken);
        if (jobs) made();
        if (events === 0) break;
        if (taken.length < size && size === BATCH) break;
        size = Math.min(BATCH, size * 4);
      } catch (error) {
        // The same events come again, fewer at a time. None at all means that PostgreSQL, not an event, is the matter.
        if (taken.length === 0) throw error;
        if (taken.length === 1) await this.park(taken, error);
        else size = Math.ceil(Math.min(size, taken.length) / 8);
      }
    }
  }

  /** Events whose pause is over, one by one, because each of them is known for failing. */
  async retryParked(made: () => void): Promise<void> {
    for (;;) {
      const taken: TakenRow[] = [];
      try {
        const { events, jobs } = await this.consume(TAKE_PARKED, 1, taken);
        if (jobs) made();
        if (events === 0) return;
      } catch (error) {
        if (taken.length === 0) throw error;
        await this.park(taken, error);
      }
    }
  }

  private consume(which: string, size: number, taken: TakenRow[]): Promise<Consumed> {
    return this.database.bookkeeping(async () => {
      taken.length = 0;
      taken.push(...(await this.database.read<TakenRow>({ text: which, values: [size] })));
      const events = taken.flatMap(({ failures: _, uid, ...event }) => (uid === null ? [] : [{ ...event, uid }]));
      if (events.length === 0) return { events: taken.length, jobs: false };
      await this.handOver(events);
      const { waiting } = await this.database.batch({ waiting: { text: JOBS_WAIT } }, true);
      return { events: taken.length, jobs: waiting.length > 0 };
    });
  }

  /** Events of a sandbox whose clock is ahead come apart from the others: what consumers write because of them is dated by it. */
  private async handOver(events: readonly OutboxEvent[]): Promise<void> {
    const ahead = await this.database.sandboxes.ahead(events.map(({ workspace_id }) => workspace_id));
    const others = ahead.size === 0 ? events : events.filter(({ workspace_id }) => !ahead.has(workspace_id));
    for (const consumer of this.consumers) if (others.length > 0) await consumer.consume(others);
    for (const [workspaceId, aheadMs] of ahead) {
      await this.database.setClock(aheadMs);
      const own = events.filter(({ workspace_id }) => workspace_id === workspaceId);
      for (const consumer of this.consumers) await consumer.consume(own);
    }
    if (ahead.size > 0) await this.database.setClock(0);
  }

  /** Between failing and being set aside another node may have failed on the event, too: that counts once. */
  private async park(taken: readonly TakenRow[], error: unknown): Promise<void> {
    const [event] = taken;
    if (!event) return;
    const pauseMs = PARKED_MS[Math.min(event.failures, PARKED_MS.length - 1)] ?? 0;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await this.database.system(() =>
      this.database.query(
        `UPDATE event_outbox SET failures = failures + 1, retry_at = now() + $3 * interval '1 millisecond', error = $4
         WHERE workspace_id = $1 AND event_id = $2 AND failures = $5`,
        [event.workspace_id, event.id, pauseMs, text.slice(0, 2000), event.failures],
      ),
    );
    const said = `Event ${event.uid} (${event.type}) cannot be handed to its consumers and is set aside: ${text}`;
    if (event.failures === 0) this.logger.error(said);
  }
}
