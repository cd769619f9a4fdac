import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/context/actor';
import { currentWorkspaceId } from '../../../platform/context/current';
import type { Principal } from '../../../platform/context/principal';
import { Database } from '../../../platform/database/database';
import { eventBodySql } from '../../../platform/events/event-json';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';

/** A place in the log, in the order of commits. */
export interface LogPlace {
  tx: string;
  id: string;
}

/** Whether a place comes after another. */
export function isBehind(one: LogPlace, other: LogPlace): boolean {
  const [tx, otherTx] = [BigInt(one.tx), BigInt(other.tx)];
  return tx === otherTx ? BigInt(one.id) > BigInt(other.id) : tx > otherTx;
}

/** Something that happened in channels. */
export interface LiveEvent extends LogPlace {
  uid: string;
  type: string;
  channel_id: number;
  /** Null of what happened to a channel itself. */
  thread_id: number | null;
  /** As webhooks deliver it, JSON. */
  body: string;
}

/** Events that are read at once. */
export const PAGE = 200;

const READER: Actor = { type: 'system', id: null, name: 'live' };

/** What happens in channels, read from the log: in the order of commits, each once, and nothing before all that is older is there. */
@Injectable()
export class LiveEvents {
  constructor(private readonly database: Database) {}

  /** The last event of the workspace of the request; null while there is none. */
  async last(): Promise<string | null> {
    const [event] = await this.database.read(sql<{ uid: string }>(LAST, [currentWorkspaceId()]));
    return event?.uid ?? null;
  }

  /** The end of the log. */
  async end(workspaceId: number): Promise<LogPlace> {
    const [place] = await this.as(workspaceId, READER, () =>
      this.database.read(sql<LogPlace>(END, [currentWorkspaceId()])),
    );
    return place ?? { tx: '0', id: '0' };
  }

  /** Where an event stands; null when it is not in the log of the workspace any more. */
  async placeOf(workspaceId: number, uid: string): Promise<LogPlace | null> {
    const [place] = await this.as(workspaceId, READER, () =>
      this.database.read(sql<LogPlace>(PLACE, [currentWorkspaceId(), uid])),
    );
    return place ?? null;
  }

  /** What came behind a place, oldest first, at most a page; and up to where that is the whole. */
  async behind(workspaceId: number, { tx, id }: LogPlace): Promise<{ events: LiveEvent[]; place: LogPlace }> {
    const rows = await this.as(workspaceId, READER, () =>
      this.database.read(sql<LiveEvent & { end: LogPlace | null }>(BEHIND, [currentWorkspaceId(), tx, id])),
    );
    const events = rows.filter(({ uid }) => uid !== '');
    const last = events.at(-1);
    const end = rows[0]?.end ?? { tx, id };
    return { events, place: events.length === PAGE && last ? { tx: last.tx, id: last.id } : end };
  }

  /** Those of the conversations, and of the channels, that somebody sees. */
  async seenBy(
    workspaceId: number,
    principal: Principal,
    events: readonly LiveEvent[],
  ): Promise<{ threads: ReadonlySet<number>; channels: ReadonlySet<number> }> {
    const threads = [...new Set(events.flatMap(({ thread_id }) => thread_id ?? []))];
    const channels = [...new Set(events.map(({ channel_id }) => channel_id))];
    const rows = await this.as(workspaceId, principal, () =>
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

  private as<T>(workspaceId: number, who: Actor | Principal, work: () => Promise<T>): Promise<T> {
    return this.database.inWorkspace(workspaceId, who, work);
  }
}

const END = `SELECT e.tx::text AS tx, e.id::text AS id FROM settled_events e WHERE e.workspace_id = $1 ORDER BY e.tx DESC, e.id DESC LIMIT 1`;

const LAST = `SELECT e.uid FROM settled_events e WHERE e.workspace_id = $1 ORDER BY e.tx DESC, e.id DESC LIMIT 1`;

const PLACE = `SELECT e.tx::text AS tx, e.id::text AS id FROM events e WHERE e.workspace_id = $1 AND e.uid = $2`;

/** Where nothing is found, one row tells the end alone. */
const BEHIND = `
  WITH ended AS (${END}), found AS (
    SELECT e.tx, e.id, e.uid, e.type, CASE WHEN e.object = 'channel' THEN e.object_id ELSE (e.data ->> 'channel_id')::bigint END AS channel_id,
      CASE WHEN e.object = 'channel' THEN NULL ELSE e.object_id END AS thread_id, ${eventBodySql('e')} AS body
    FROM settled_events e
    WHERE e.workspace_id = $1 AND (e.tx, e.id) > ($2::bigint, $3::bigint) AND e.object IN ('channel', 'channel_thread')
    ORDER BY e.tx, e.id LIMIT ${PAGE})
  SELECT coalesce(f.tx, 0)::text AS tx, coalesce(f.id, 0)::text AS id, coalesce(f.uid, '') AS uid, coalesce(f.type, '') AS type,
    coalesce(f.channel_id, 0) AS channel_id, f.thread_id, coalesce(f.body, '') AS body, (SELECT row_to_json(ended) FROM ended) AS "end"
  FROM (SELECT 1) one LEFT JOIN found f ON true ORDER BY f.tx, f.id`;
