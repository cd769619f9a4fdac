import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { WorkRef } from './work-claims';
import { WorkHandlers } from './work-handlers';

/** What a round handed out. */
export interface HandedOut {
  refs: WorkRef[];
  /** More is due than limits let through; look again when something is finished. */
  blocked: boolean;
}

/** Most items that are handed out but not begun: what waits in Redis cannot be overtaken by a quiet workspace. */
const MOST_UNCLAIMED = 500;

/** One node hands out at a time, so that limits hold. */
const ALONE = `SELECT pg_advisory_xact_lock(hashtext('work hand-out'))`;

/**
 * Picks what is due, a turn for each workspace at a time, within the limits of lanes and workspaces.
 *
 * `spaces` and `lanes` jump from one value to the next in the index work_ready (a "loose index scan"), so that a lane
 * with 50,000 items costs as much as one with a single item. Per workspace at most as many lanes are looked at as
 * there is room for; the first is chosen at random, so that none waits for ever behind busier ones. The forms of the
 * last steps, and an order longer than needed, keep the planner on indexes whatever it believes about the counts.
 */
export const PICK = `
  WITH RECURSIVE
  kinds AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS k(kind text, per_lane integer, per_workspace integer)),
  busy AS MATERIALIZED (
    SELECT kind, workspace_id, lane, count(*) AS items, count(*) FILTER (WHERE state = 'waiting') AS unclaimed
    FROM work WHERE enqueued_at IS NOT NULL GROUP BY kind, workspace_id, lane),
  room AS MATERIALIZED (
    SELECT least($2::bigint, ${MOST_UNCLAIMED} - coalesce(sum(unclaimed), 0)) AS items FROM busy),
  spaces (kind, per_lane, per_workspace, workspace_id) AS (
    SELECT k.kind, k.per_lane, k.per_workspace, (
      SELECT w.workspace_id FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = k.kind
      ORDER BY w.workspace_id, w.lane LIMIT 1)
    FROM kinds k WHERE (SELECT items FROM room) > 0
    UNION ALL
    SELECT s.kind, s.per_lane, s.per_workspace, (
      SELECT w.workspace_id FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = s.kind
        AND w.workspace_id > s.workspace_id
      ORDER BY w.workspace_id, w.lane LIMIT 1)
    FROM spaces s WHERE s.workspace_id IS NOT NULL),
  open AS MATERIALIZED (
    SELECT s.*, s.per_workspace - coalesce(b.items, 0) AS free, edge.first + floor(random() * (edge.last - edge.first + 1))::bigint AS start
    FROM spaces s
    LEFT JOIN (SELECT kind, workspace_id, sum(items)::integer AS items FROM busy GROUP BY kind, workspace_id) b
      USING (kind, workspace_id)
    CROSS JOIN LATERAL (SELECT
      (SELECT lane FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = s.kind AND w.workspace_id = s.workspace_id
       ORDER BY lane LIMIT 1) AS first,
      (SELECT lane FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = s.kind AND w.workspace_id = s.workspace_id
       ORDER BY lane DESC LIMIT 1) AS last) edge
    WHERE s.workspace_id IS NOT NULL AND s.per_workspace > coalesce(b.items, 0)),
  lanes (kind, per_lane, per_workspace, workspace_id, free, lane, origin, step) AS (
    SELECT o.kind, o.per_lane, o.per_workspace, o.workspace_id, o.free, f.lane, f.lane, 0
    FROM open o CROSS JOIN LATERAL (
      SELECT lane FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = o.kind AND w.workspace_id = o.workspace_id
        AND w.lane >= o.start
      ORDER BY lane LIMIT 1) f
    UNION ALL
    SELECT l.kind, l.per_lane, l.per_workspace, l.workspace_id, l.free, coalesce(
      (SELECT lane FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = l.kind AND w.workspace_id = l.workspace_id
         AND w.lane > l.lane
       ORDER BY lane LIMIT 1),
      (SELECT lane FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = l.kind AND w.workspace_id = l.workspace_id
       ORDER BY lane LIMIT 1)), l.origin, l.step + 1
    FROM lanes l WHERE l.step = 0 OR l.step < l.per_workspace AND l.lane <> l.origin),
  turns AS (
    SELECT i.workspace_id, i.id, l.free, row_number() OVER (PARTITION BY i.kind, i.workspace_id ORDER BY i.turn, l.step) AS turn
    FROM (SELECT kind, per_lane, workspace_id, free, lane, min(step) AS step FROM lanes GROUP BY 1, 2, 3, 4, 5) l
    LEFT JOIN busy b USING (kind, workspace_id, lane)
    CROSS JOIN LATERAL (
      SELECT w.*, row_number() OVER (ORDER BY w.due_at, w.id) AS turn FROM (
        SELECT w.kind, w.workspace_id, w.id, w.due_at FROM work w
        WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = l.kind AND w.workspace_id = l.workspace_id AND w.lane = l.lane
          AND w.due_at <= now()
        ORDER BY w.due_at, w.id LIMIT greatest(0, l.per_lane - coalesce(b.items, 0))) w) i),
  picked AS (
    SELECT workspace_id, id FROM turns WHERE turn <= free ORDER BY turn, random() LIMIT greatest(0, (SELECT items FROM room))),
  held AS (
    SELECT h.row FROM picked p CROSS JOIN LATERAL (
      SELECT w.ctid AS row FROM work w
      WHERE w.workspace_id = p.workspace_id AND w.id = p.id AND w.state = 'waiting' AND w.enqueued_at IS NULL
      LIMIT 1 FOR UPDATE SKIP LOCKED) h)
  UPDATE work SET enqueued_at = now() WHERE ctid = ANY (ARRAY(SELECT row FROM held)) RETURNING workspace_id, id`;

const LEFT = `SELECT 1 WHERE EXISTS (
  SELECT FROM work WHERE state = 'waiting' AND enqueued_at IS NULL AND kind = ANY ($1::text[]))`;

/** Chooses which waiting items may begin, so that no workspace and no lane takes more than its share. */
@Injectable()
export class WorkHandOut {
  constructor(
    private readonly database: Database,
    private readonly handlers: WorkHandlers,
  ) {}

  /**
   * Marks items as handed out; the caller passes them on.
   *
   * @param most items that the caller can take
   */
  async next(most: number): Promise<HandedOut> {
    const handlers = this.handlers.all();
    if (handlers.length === 0 || most <= 0) return { refs: [], blocked: true };
    const limits = handlers.map(({ kind, perLane, perWorkspace }) => ({
      kind,
      per_lane: perLane,
      per_workspace: perWorkspace,
    }));
    const statements = [
      { text: ALONE },
      { text: PICK, values: [JSON.stringify(limits), most] },
      { text: LEFT, values: [handlers.map(({ kind }) => kind)] },
    ];
    const [, rows = [], left = []] = await this.database.bookkeeping(() => this.database.batch(statements, true));
    const refs = rows
      .map(([workspace_id, id]) => ({ workspace_id: Number(workspace_id), id: Number(id) }))
      .sort((one, other) => one.id - other.id);
    return { refs, blocked: left.length > 0 };
  }
}
