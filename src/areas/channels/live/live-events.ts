import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/context/actor';
import { currentWorkspaceId } from '../../../platform/context/current';
import type { Principal } from '../../../platform/context/principal';
import { Database } from '../../../platform/database/database';
import { eventBodySql } from '../../../platform/events/event-json';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { behindEvent, type EventPlace, firstUnseen, type LogPlace, markOf, readMark, upTo } from './log-place';

/** Something that happened in channels. */
export interface LiveEvent extends EventPlace {
  uid: string;
  /** What streams call it, to go on behind it. */
  mark: string;
  type: string;
  channel_id: number;
  /** Null of what happened to a channel itself. */
  thread_id: number | null;
  /** As webhooks deliver it, JSON. */
  body: string;
}

/** What came behind a place, oldest first. */
export interface LogPage {
  events: readonly LiveEvent[];
  /** As far as it goes. */
  place: LogPlace;
  hasMore: boolean;
}

/** Events that are read at once. */
export const PAGE = 200;

const READER: Actor = { type: 'system', id: null, name: 'live' };

/**
 * What happens in channels, read from the log as soon as it is committed, each event once. What was told is known by snapshots, so nothing
 * waits for transactions that began earlier and are not over, whosever they are; messages of one conversation come in their order, because
 * whoever writes one holds the conversation until the commit.
 */
@Injectable()
export class LiveEvents {
  constructor(private readonly database: Database) {}

  /** The last event of the workspace of the request that nothing can come before; null while there is none. */
  async last(): Promise<string | null> {
    const [event] = await this.database.read(sql<{ uid: string }>(LAST, [currentWorkspaceId()]));
    return event?.uid ?? null;
  }

  /** Everything that is committed. */
  async now(workspaceId: number): Promise<LogPlace> {
    const [row] = await this.read<{ snapshot: string }>(
      workspaceId,
      'SELECT pg_current_snapshot()::text AS snapshot',
      [],
    );
    return upTo(row?.snapshot ?? '1:1:');
  }

  /** How far whoever shows a mark, or the id of an event, was told; null when the event is not in the log of the workspace any more. */
  async placeOf(workspaceId: number, mark: string): Promise<LogPlace | null> {
    const read = readMark(mark);
    if (read === null) return null;
    const [event] = await this.read<EventPlace & { horizon: string }>(workspaceId, PLACE, [read.uid]);
    if (!event) return null;
    const { horizon, ...after } = event;
    // Of another cluster, before a restore: they mean nothing here.
    const isOfHere = read.snapshots.every((each) => BigInt(each.split(':')[1] ?? '0') <= BigInt(horizon));
    const [from, to] = isOfHere ? read.snapshots : [];
    if (from === undefined) return behindEvent(after);
    return to === undefined ? upTo(from) : { from, to, after };
  }

  /** What came behind a place, at most a page; no further than another where that is said. */
  async behind(workspaceId: number, place: LogPlace, limit: LogPlace | null = null): Promise<LogPage> {
    const { from, to, after } = place;
    const rows = await this.read<Found>(workspaceId, BEHIND, [
      ...[firstUnseen(from), from, after === null ? null : to, after?.tx ?? null, after?.id ?? null],
      limit?.to ?? null,
    ]);
    const found = rows.filter(({ uid }) => uid !== '');
    const whole = upTo(limit?.to ?? rows[0]?.snapshot ?? to);
    const hasMore = found.length === PAGE;
    const events = found.map(({ snapshot: _, ...event }, index) => {
      const isLast = index === found.length - 1 && !hasMore;
      const { tx, id } = event;
      return { ...event, mark: markOf(event.uid, isLast ? whole : { from, to: whole.to, after: { tx, id } }) };
    });
    const last = events.at(-1);
    if (!hasMore || !last) return { events, place: whole, hasMore: false };
    return { events, place: { from, to: whole.to, after: { tx: last.tx, id: last.id } }, hasMore };
  }

  /** Those of the conversations, and of the channels, that somebody sees. */
  async seenBy(
    workspaceId: number,
    principal: Principal,
    events: readonly Pick<LiveEvent, 'channel_id' | 'thread_id'>[],
  ): Promise<{ threads: ReadonlySet<number>; channels: ReadonlySet<number> }> {
    const threads = [...new Set(events.flatMap(({ thread_id }) => thread_id ?? []))];
    const channels = [...new Set(events.map(({ channel_id }) => channel_id))];
    const rows = await this.database.inWorkspace(workspaceId, principal, () =>
      this.database.read(
        filled(
          sql<{ kind: string; id: number }>(
            `SELECT 'thread' AS kind, h.id FROM channel_threads h WHERE h.workspace_id = $1 AND h.id = ANY($2::bigint[])${andSeen('channel_threads', 'h')}
             UNION ALL SELECT 'channel', c.id FROM channels c WHERE c.workspace_id = $1 AND c.id = ANY($3::bigint[])${andSeen('channels', 'c')}`,
            [currentWorkspaceId(), threads, channels],
          ),
        ),
      ),
    );
    const ids = (kind: string): Set<number> => new Set(rows.filter((row) => row.kind === kind).map(({ id }) => id));
    return { threads: ids('thread'), channels: ids('channel') };
  }

  private read<Row extends object>(workspaceId: number, text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.database.inWorkspace(workspaceId, READER, () =>
      this.database.read(sql<Row>(text, values.length === 0 ? [] : [currentWorkspaceId(), ...values])),
    );
  }
}

/** An event, and the snapshot that the statement saw. */
type Found = Omit<LiveEvent, 'mark'> & { snapshot: string };

const LAST = `SELECT e.uid FROM settled_events e WHERE e.workspace_id = $1 ORDER BY e.tx DESC, e.id DESC LIMIT 1`;

const PLACE = `SELECT e.tx::text AS tx, e.id::text AS id, pg_snapshot_xmax(pg_current_snapshot())::text AS horizon
  FROM events e WHERE e.workspace_id = $1 AND e.uid = $2`;

const sees = (snapshot: string): string => `pg_visible_in_snapshot(e.tx::text::xid8, ${snapshot}::pg_snapshot)`;

/** Where nothing is found, one row tells the snapshot alone. */
const BEHIND = `
  WITH found AS (
    SELECT e.tx, e.id, e.uid, e.type, CASE WHEN e.object = 'channel' THEN e.object_id ELSE (e.data ->> 'channel_id')::bigint END AS channel_id,
      CASE WHEN e.object = 'channel' THEN NULL ELSE e.object_id END AS thread_id, ${eventBodySql('e')} AS body
    FROM events e
    WHERE e.workspace_id = $1 AND e.tx >= $2::bigint AND e.object IN ('channel', 'channel_thread') AND NOT ${sees('$3')}
      AND ($4::pg_snapshot IS NULL OR NOT ${sees('$4')} OR (e.tx, e.id) > ($5::bigint, $6::bigint))
      AND ($7::pg_snapshot IS NULL OR ${sees('$7')})
    ORDER BY e.tx, e.id LIMIT ${PAGE})
  SELECT coalesce(f.tx, 0)::text AS tx, coalesce(f.id, 0)::text AS id, coalesce(f.uid, '') AS uid, coalesce(f.type, '') AS type,
    coalesce(f.channel_id, 0) AS channel_id, f.thread_id, coalesce(f.body, '') AS body, pg_current_snapshot()::text AS snapshot
  FROM (SELECT 1) one LEFT JOIN found f ON true ORDER BY f.tx, f.id`;
