import type { Stats } from '../../src/areas/meta/stats/stats-shape';
import type { Sql } from './sql';

/** What statistics are asked for, as the tests count them. */
export interface Wanted {
  from?: string;
  to?: string;
  team?: number | 'none';
  assignee?: number | 'none';
}

/** The query string of a request for them. */
export function queryOf({ from, to, team, assignee }: Wanted): string {
  const parameters = Object.entries({ from, to, team_id: team, assigned_to: assignee });
  return parameters
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

/** The statistics counted row by row, without any counter; without the resources. */
export async function bruteStats(sql: Sql, workspace: number, wanted: Wanted): Promise<unknown> {
  const { from = '-infinity', to = 'infinity' } = wanted;
  // A day belongs to the window as a whole.
  const end = to.length === 10 ? new Date(Date.parse(to) + 86_400_000).toISOString() : to;
  const values = [workspace, from, end];
  const is = (column: string, id: number | 'none' | undefined): string =>
    id === undefined ? 'true' : id === 'none' ? `${column} IS NULL` : `${column} = ${id}`;
  const whose = (team: string, assignee: string): string =>
    `${is(team, wanted.team)} AND ${is(assignee, wanted.assignee)}`;
  const within = (column: string): string => `${column} >= $2::timestamptz AND ${column} < $3::timestamptz`;
  const tickets = `FROM tickets t WHERE t.workspace_id = $1 AND ${whose('t.team_id', 't.assigned_to')}`;
  const groups = async (column: string): Promise<Record<string, number>> => {
    const rows = await sql.rows<{ key: string; n: number }>(
      `SELECT ${column} AS key, count(*) AS n ${tickets} AND ${within('t.created_at')} GROUP BY 1`,
      values,
    );
    return Object.fromEntries(rows.map(({ key, n }) => [key, n]));
  };
  const time = async (column: string): Promise<(number | null)[]> => {
    const [row] = await sql.rows<{ p50: number | null; p90: number | null }>(
      `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY m) AS p50, percentile_cont(0.9) WITHIN GROUP (ORDER BY m) AS p90
       FROM (SELECT greatest(0, extract(epoch FROM t.${column} - t.created_at)::float8 / 60) AS m ${tickets} AND ${within(`t.${column}`)}) s`,
      values,
    );
    return [row?.p50 ?? null, row?.p90 ?? null];
  };
  // As the ticket shows it: a clock runs out at its moment, not when a worker comes by.
  const slaStatus = `CASE WHEN t.next_sla_due_at < now() AND t.sla_status IN ('on_track', 'at_risk', 'paused') THEN 'breached'
    WHEN t.sla_at_risk_at <= now() AND t.sla_status = 'on_track' THEN 'at_risk' ELSE t.sla_status END`;
  const unfinished = `${tickets} AND t.status IN ('open', 'in_progress', 'on_hold')`;
  const [now] = await sql.rows<{ age: number | null; at_risk: number; breached: number }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM now() - t.created_at)::float8 / 3600) AS age,
       count(*) FILTER (WHERE ${slaStatus} = 'at_risk') AS at_risk, count(*) FILTER (WHERE ${slaStatus} = 'breached') AS breached ${unfinished}`,
    [workspace],
  );
  const [unassigned] = await sql.rows<{ n: number }>(
    `SELECT count(*) AS n ${tickets} AND t.assigned_to IS NULL AND ${within('t.created_at')}`,
    values,
  );
  const clocks = await sql.rows<{ metric: string; outcome: string; n: number }>(
    `SELECT k.metric, k.outcome, count(*) AS n FROM sla_clocks k WHERE k.workspace_id = $1 AND ${whose('k.team_id', 'k.agent_id')}
       AND k.outcome IN ('met', 'breached') AND ${within('k.decided_at')} GROUP BY 1, 2`,
    values,
  );
  const scores = await sql.rows<{ score: number; n: number }>(
    `SELECT r.score, count(*) AS n FROM ticket_ratings r WHERE r.workspace_id = $1 AND ${whose('r.team_id', 'r.assigned_to')} AND ${within('r.rated_at')} GROUP BY 1`,
    values,
  );
  const zone = `(SELECT timezone FROM workspaces WHERE id = $1)`;
  const today = `(date_trunc('day', now() AT TIME ZONE ${zone}) AT TIME ZONE ${zone})`;
  const [day] = await sql.rows<{ created: number; resolved: number }>(
    `SELECT count(*) FILTER (WHERE t.created_at >= ${today}) AS created, count(*) FILTER (WHERE t.resolved_at >= ${today}) AS resolved ${tickets}`,
    [workspace],
  );
  return {
    today: [day?.created, day?.resolved],
    by_status: await groups('t.status'),
    by_priority: await groups('t.priority'),
    by_channel: await groups('t.channel'),
    unassigned: unassigned?.n,
    clocks: Object.fromEntries(clocks.map(({ metric, outcome, n }) => [`${metric} ${outcome}`, n])),
    scores: Object.fromEntries(scores.map(({ score, n }) => [score, n])),
    at_risk: now?.at_risk,
    breached_open: now?.breached,
    age: close(now?.age ?? null),
    times: [...(await time('first_response_at')), ...(await time('resolved_at'))].map(close),
  };
}

/** An answer in the form of `bruteStats`. */
export function comparable(stats: Stats): unknown {
  const { tickets, sla, response, csat } = stats;
  const clocks = Object.entries(sla.by_metric).flatMap(([metric, { met, breached }]) => [
    [`${metric} met`, met] as const,
    [`${metric} breached`, breached] as const,
  ]);
  return {
    today: [tickets.created_today, tickets.resolved_today],
    by_status: present(tickets.by_status),
    by_priority: present(tickets.by_priority),
    by_channel: present(tickets.by_channel),
    unassigned: tickets.unassigned,
    clocks: present(Object.fromEntries(clocks)),
    scores: present(csat.by_score),
    at_risk: sla.at_risk,
    breached_open: sla.breached_open,
    age: tickets.backlog_age_p50_hours,
    times: [
      response.first_response_median_minutes,
      response.first_response_p90_minutes,
      response.resolution_median_minutes,
      response.resolution_p90_minutes,
    ],
  };
}

function present(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0));
}

/** The moment of the question and the second decimal do not matter. */
function close(value: number | null): unknown {
  return value === null ? null : expect.closeTo(value, 1);
}
