import { currentWorkspaceId } from '../../../platform/context/current';
import { counterTotal } from '../../../platform/counters/counter-sql';
import type { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { type Circumstances, circumstanceWords } from './circumstances';
import type { TrainingData } from './training-data';

/** Tickets that are learnt from at most, the newest, and those that tell how many were waiting. */
const MOST_TICKETS = 5_000;
const MOST_WAITING = 40_000;

const DUE = 'coalesce(t.sla_due_at, t.first_response_due_at)';
const PEOPLE = `(SELECT greatest(1, count(*)) FROM users u WHERE u.workspace_id = $1 AND u.status = 'active')`;

/** SQL of what is known of the ticket `t` at a moment. */
const told = (t: string, at: string): string => `
  ${t}.priority, ${t}.category_id, extract(hour FROM ${at} AT TIME ZONE 'UTC')::integer AS hour, extract(isodow FROM ${at} AT TIME ZONE 'UTC')::integer AS weekday,
  (SELECT count(*)::integer FROM (SELECT FROM ticket_comments c WHERE c.workspace_id = $1 AND c.ticket_id = ${t}.id
    AND c.author_type = 'agent' AND NOT c.is_internal AND c.created_at <= ${at} LIMIT 3) r) AS replies`;

/**
 * Of each ticket whose SLA is over how it was at one moment: at its beginning, or a quarter, half, or three quarters of its time later,
 * unless it was done by then. Which moment is by its id. How many were open then: those that had begun, less those that were done.
 */
const SNAPSHOTS = `
  WITH newest AS MATERIALIZED (
    SELECT t.id, t.priority, t.category_id, t.sla_status, t.status, t.created_at, t.resolved_at, ${DUE} AS due
    FROM tickets t WHERE t.workspace_id = $1 AND t.merged_into_id IS NULL ORDER BY t.id DESC LIMIT ${MOST_WAITING}),
  ended AS (
    SELECT n.*, CASE WHEN n.due > n.created_at THEN (hashint8(n.id) & 3) * 0.25::float8 ELSE 0 END AS elapsed FROM newest n
    WHERE n.status IN ('resolved', 'closed') AND n.sla_status IN ('met', 'breached') ORDER BY n.id DESC LIMIT ${MOST_TICKETS}),
  seen AS (SELECT e.*, CASE WHEN e.elapsed = 0 THEN e.created_at ELSE e.created_at + (e.due - e.created_at) * e.elapsed END AS at FROM ended e),
  moves AS (
    SELECT n.created_at AS at, 1 AS step, NULL::bigint AS id FROM newest n
    UNION ALL SELECT n.resolved_at, -1, NULL FROM newest n WHERE n.resolved_at IS NOT NULL
    UNION ALL SELECT s.at, 0, s.id FROM seen s),
  waiting AS (SELECT m.id, sum(m.step) OVER (ORDER BY m.at) AS open FROM moves m)
  SELECT s.id, s.sla_status AS value, s.elapsed, (w.open / ${PEOPLE})::float8 AS waiting, ${told('s', 's.at')}
  FROM seen s JOIN waiting w ON w.id = s.id WHERE s.elapsed = 0 OR s.resolved_at IS NULL OR s.resolved_at > s.at ORDER BY s.id DESC`;

const OPEN = counterTotal('t', 'tickets', [`IN ('open', 'in_progress', 'on_hold')`, null, null]);

const NOW = `
  SELECT ${told('t', 'now()')}, (${OPEN} / ${PEOPLE})::float8 AS waiting,
    CASE WHEN ${DUE} > t.created_at THEN (extract(epoch FROM now() - t.created_at) / extract(epoch FROM ${DUE} - t.created_at))::float8 ELSE 0 END AS elapsed
  FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2`;

/** What a model of the risk of an SLA learns from, in words. A ticket is held out or learnt from by its id, as many are in the same circumstances. */
export async function breachData(database: Database): Promise<TrainingData> {
  type Row = Circumstances & { id: number; value: string };
  const rows = await database.read(sql<Row>(SNAPSHOTS, [currentWorkspaceId()]));
  return {
    texts: rows.map(circumstanceWords),
    values: rows.map(({ value }) => value),
    keys: rows.map(({ id }) => String(id)),
  };
}

/** How a ticket is now, in the same words; null when there is none. */
export async function circumstancesOf(database: Database, ticketId: number): Promise<string | null> {
  const [row] = await database.read(sql<Circumstances>(NOW, [currentWorkspaceId(), ticketId]));
  return row ? circumstanceWords(row) : null;
}
