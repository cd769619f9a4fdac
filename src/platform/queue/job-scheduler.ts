import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { sql } from '../postgres/statement-batch';
import type { JobRef } from './job-claims';
import { JobHandlers } from './job-handlers';
import { JOB_QUEUE, type JobQueueName } from './queue-names';

/** A job and the queue that it travels through. */
export interface EnqueuedRef extends JobRef {
  queue: JobQueueName;
}

/** What a round enqueued. */
export interface Enqueued {
  refs: EnqueuedRef[];
  /** More is due than limits let through; look again when something is finished. */
  blocked: boolean;
}

/** Most jobs that are enqueued but not begun: what waits in Redis cannot be overtaken by a quiet workspace. */
const MOST_UNCLAIMED = 500;

/** One node schedules at a time, so that limits hold; by the name that nodes of the release before lock. */
const ALONE = `SELECT pg_advisory_xact_lock(hashtext('work hand-out'))`;

/**
 * Picks what is due, a turn for each workspace at a time, within the limits of groups and workspaces.
 *
 * `spaces` and `groups` jump from one value to the next in the index work_ready (a "loose index scan"), so that a group
 * with 50,000 jobs costs as much as one with a single job. Per workspace at most as many groups are looked at as
 * there is room for; the first is chosen at random, so that none waits for ever behind busier ones. The forms of the
 * last steps, and an order longer than needed, keep the planner on indexes whatever it believes about the counts.
 */
export const PICK = `
  WITH RECURSIVE
  kinds AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS k(kind text, per_group integer, per_workspace integer)),
  busy AS MATERIALIZED (
    SELECT kind, workspace_id, lane AS group_id, count(*) AS jobs, count(*) FILTER (WHERE state = 'waiting') AS unclaimed
    FROM work WHERE enqueued_at IS NOT NULL GROUP BY kind, workspace_id, lane),
  room AS MATERIALIZED (
    SELECT least($2::bigint, ${MOST_UNCLAIMED} - coalesce(sum(unclaimed), 0)) AS jobs FROM busy),
  spaces (kind, per_group, per_workspace, workspace_id) AS (
    SELECT k.kind, k.per_group, k.per_workspace, (
      SELECT w.workspace_id FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = k.kind
      ORDER BY w.workspace_id, w.lane LIMIT 1)
    FROM kinds k WHERE (SELECT jobs FROM room) > 0
    UNION ALL
    SELECT s.kind, s.per_group, s.per_workspace, (
      SELECT w.workspace_id FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = s.kind
        AND w.workspace_id > s.workspace_id
      ORDER BY w.workspace_id, w.lane LIMIT 1)
    FROM spaces s WHERE s.workspace_id IS NOT NULL),
  open AS MATERIALIZED (
    SELECT s.*, s.per_workspace - coalesce(b.jobs, 0) AS free, edge.first + floor(random() * (edge.last - edge.first + 1))::bigint AS start
    FROM spaces s
    LEFT JOIN (SELECT kind, workspace_id, sum(jobs)::integer AS jobs FROM busy GROUP BY kind, workspace_id) b
      USING (kind, workspace_id)
    CROSS JOIN LATERAL (SELECT
      (SELECT lane FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = s.kind AND w.workspace_id = s.workspace_id
       ORDER BY lane LIMIT 1) AS first,
      (SELECT lane FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = s.kind AND w.workspace_id = s.workspace_id
       ORDER BY lane DESC LIMIT 1) AS last) edge
    WHERE s.workspace_id IS NOT NULL AND s.per_workspace > coalesce(b.jobs, 0)),
  groups (kind, per_group, per_workspace, workspace_id, free, group_id, origin, step) AS (
    SELECT o.kind, o.per_group, o.per_workspace, o.workspace_id, o.free, f.lane, f.lane, 0
    FROM open o CROSS JOIN LATERAL (
      SELECT lane FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = o.kind AND w.workspace_id = o.workspace_id
        AND w.lane >= o.start
      ORDER BY lane LIMIT 1) f
    UNION ALL
    SELECT g.kind, g.per_group, g.per_workspace, g.workspace_id, g.free, coalesce(
      (SELECT lane FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = g.kind AND w.workspace_id = g.workspace_id
         AND w.lane > g.group_id
       ORDER BY lane LIMIT 1),
      (SELECT lane FROM work w WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = g.kind AND w.workspace_id = g.workspace_id
       ORDER BY lane LIMIT 1)), g.origin, g.step + 1
    FROM groups g WHERE g.step = 0 OR g.step < g.per_workspace AND g.group_id <> g.origin),
  turns AS (
    SELECT i.workspace_id, i.id, g.free, row_number() OVER (PARTITION BY i.kind, i.workspace_id ORDER BY i.turn, g.step) AS turn
    FROM (SELECT kind, per_group, workspace_id, free, group_id, min(step) AS step FROM groups GROUP BY 1, 2, 3, 4, 5) g
    LEFT JOIN busy b USING (kind, workspace_id, group_id)
    CROSS JOIN LATERAL (
      SELECT w.*, row_number() OVER (ORDER BY w.due_at, w.id) AS turn FROM (
        SELECT w.kind, w.workspace_id, w.id, w.due_at FROM work w
        WHERE w.state = 'waiting' AND w.enqueued_at IS NULL AND w.kind = g.kind AND w.workspace_id = g.workspace_id AND w.lane = g.group_id
          AND w.due_at <= now()
        ORDER BY w.due_at, w.id LIMIT greatest(0, g.per_group - coalesce(b.jobs, 0))) w) i),
  picked AS (
    SELECT workspace_id, id FROM turns WHERE turn <= free ORDER BY turn, random() LIMIT greatest(0, (SELECT jobs FROM room))),
  held AS (
    SELECT h.row FROM picked p CROSS JOIN LATERAL (
      SELECT w.ctid AS row FROM work w
      WHERE w.workspace_id = p.workspace_id AND w.id = p.id AND w.state = 'waiting' AND w.enqueued_at IS NULL
      LIMIT 1 FOR UPDATE SKIP LOCKED) h)
  UPDATE work SET enqueued_at = now() WHERE ctid = ANY (ARRAY(SELECT row FROM held)) RETURNING workspace_id, id, kind`;

const LEFT = `SELECT 1 WHERE EXISTS (
  SELECT FROM work WHERE state = 'waiting' AND enqueued_at IS NULL AND kind = ANY ($1::text[]))`;

/** Chooses which waiting jobs may begin, so that no workspace and no group takes more than its share. */
@Injectable()
export class JobScheduler {
  constructor(
    private readonly database: Database,
    private readonly handlers: JobHandlers,
  ) {}

  /**
   * Marks jobs as enqueued; the caller passes them on.
   *
   * @param most jobs that the caller can take
   */
  async next(most: number): Promise<Enqueued> {
    const handlers = this.handlers.all();
    if (handlers.length === 0 || most <= 0) return { refs: [], blocked: true };
    const limits = handlers.map(({ kind, perGroup, perWorkspace }) => ({
      kind,
      per_group: perGroup,
      per_workspace: perWorkspace,
    }));
    const found = await this.database.bookkeeping(() =>
      this.database.batch(
        {
          alone: { text: ALONE },
          picked: sql<JobRef & { kind: string }>(PICK, [JSON.stringify(limits), most]),
          left: { text: LEFT, values: [handlers.map(({ kind }) => kind)] },
        },
        true,
      ),
    );
    const refs = found.picked
      .map(({ workspace_id, id, kind }) => ({
        workspace_id,
        id,
        queue: this.handlers.of(kind)?.travelsBy ?? JOB_QUEUE,
      }))
      .sort((one, other) => one.id - other.id);
    return { refs, blocked: found.left.length > 0 };
  }
}
