import { dueClocks, unnoticedWithin } from '../sla/due-clocks';
import { COMMON_GROUPS, type Group } from './report-groups';

/** What a report counts. */
export interface ReportSpec {
  /**
   * SELECT of the facts of the window: `at`, `ticket_id`, `team_id`, `agent_id`, `metric`, `priority` (null: that of the ticket), and
   * what the figures are made of. `$1` is the workspace, `[$2, $3)` the window.
   */
  facts: string;
  /** SQL of each figure, over the facts of a group. */
  figures: Readonly<Record<string, string>>;
  groups: readonly Group[];
  /** Unless the request says otherwise. */
  defaultGroups: readonly Group[];
}

/** met / (met + breached) and the like, in per cent to two places; null of nothing. */
const percent = (part: string, all: string): string => `round(100.0 * ${part} / nullif(${all}, 0), 2)::float8`;
const minutes = (ms: string): string =>
  `round((percentile_cont(0.5) WITHIN GROUP (ORDER BY ${ms}) / 60000)::numeric, 2)::float8`;
const average = (column: string): string => `round(avg(${column}), 2)::float8`;

const MET = `count(*) FILTER (WHERE f.met)`;
const BREACHED = `count(*) FILTER (WHERE NOT f.met)`;
const RESPONSES = 'count(f.score)';

const kept = { met: MET, breached: BREACHED, compliance_pct: percent(MET, 'count(f.met)') };

/** Promises that were decided, those among them that were broken and that no worker has noticed yet. */
const CLOCKS = `
  SELECT k.decided_at AS at, k.ticket_id, k.team_id, k.agent_id, k.metric, k.priority_applied AS priority, k.outcome = 'met' AS met
  FROM sla_clocks k
  WHERE k.workspace_id = $1 AND k.decided_at >= $2::timestamptz AND k.decided_at < $3::timestamptz AND k.outcome IN ('met', 'breached')
  UNION ALL
  SELECT k.due_at, k.ticket_id, t.team_id, t.assigned_to, k.metric, k.priority_applied, false
  FROM ${dueClocks(unnoticedWithin('$2::timestamptz', '$3::timestamptz'))} k
    CROSS JOIN LATERAL (SELECT t.* FROM tickets t WHERE t.workspace_id = k.workspace_id AND t.id = k.ticket_id OFFSET 0) t`;

const RATINGS = `
  SELECT r.rated_at AS at, r.ticket_id, r.team_id, r.assigned_to AS agent_id, NULL::text AS metric, NULL::text AS priority, r.score
  FROM ticket_ratings r
  WHERE r.workspace_id = $1 AND r.rated_at >= $2::timestamptz AND r.rated_at < $3::timestamptz`;

/** Everything that somebody did: each fact has one of the measures, the others are null. */
const WORK = `
  SELECT d.at, d.ticket_id, nullif(d.team_id, 0) AS team_id, nullif(d.assigned_to, 0) AS agent_id, NULL::text AS metric, NULL::text AS priority,
    CASE d.metric WHEN 1 THEN d.ms END AS response_ms, CASE d.metric WHEN 2 THEN d.ms END AS resolution_ms,
    NULL::boolean AS is_reply, NULL::boolean AS met, NULL::integer AS score
  FROM ticket_durations d
  WHERE d.workspace_id = $1 AND d.metric IN (1, 2) AND d.at >= $2::timestamptz AND d.at < $3::timestamptz AND d.assigned_to <> 0
  UNION ALL
  SELECT c.created_at, c.ticket_id, t.team_id, c.author_id, NULL, NULL, NULL, NULL, NOT c.is_internal, NULL, NULL
  FROM ticket_comments c JOIN tickets t ON t.workspace_id = c.workspace_id AND t.id = c.ticket_id
  WHERE c.workspace_id = $1 AND c.created_at >= $2::timestamptz AND c.created_at < $3::timestamptz
    AND c.author_type = 'agent' AND c.author_id IS NOT NULL
  UNION ALL
  SELECT k.at, k.ticket_id, k.team_id, k.agent_id, NULL, NULL, NULL, NULL, NULL, k.met, NULL FROM (${CLOCKS}) k WHERE k.agent_id IS NOT NULL
  UNION ALL
  SELECT r.at, r.ticket_id, r.team_id, r.agent_id, NULL, NULL, NULL, NULL, NULL, NULL, r.score FROM (${RATINGS}) r WHERE r.agent_id IS NOT NULL`;

/** The reports, by the last part of their path. */
export const REPORTS = {
  sla: { facts: CLOCKS, figures: kept, groups: [...COMMON_GROUPS, 'metric'], defaultGroups: [] },
  agents: {
    facts: WORK,
    figures: {
      resolved: 'count(f.resolution_ms)',
      resolution_median_minutes: minutes('f.resolution_ms'),
      first_responses: 'count(f.response_ms)',
      first_response_median_minutes: minutes('f.response_ms'),
      replies: 'count(*) FILTER (WHERE f.is_reply)',
      internal_notes: 'count(*) FILTER (WHERE NOT f.is_reply)',
      ...kept,
      csat_responses: RESPONSES,
      csat_average: average('f.score'),
    },
    groups: COMMON_GROUPS,
    defaultGroups: ['agent'],
  },
  csat: {
    facts: RATINGS,
    figures: {
      responses: RESPONSES,
      average: average('f.score'),
      score_pct: percent('count(*) FILTER (WHERE f.score >= 4)', RESPONSES),
      ...Object.fromEntries(
        [1, 2, 3, 4, 5].map((score) => [`score_${score}`, `count(*) FILTER (WHERE f.score = ${score})`]),
      ),
    },
    groups: COMMON_GROUPS,
    defaultGroups: [],
  },
} as const satisfies Record<string, ReportSpec>;

export type ReportKind = keyof typeof REPORTS;

export const REPORT_KINDS = ['sla', 'agents', 'csat'] as const satisfies readonly ReportKind[];

/** What a report is, for whom its own literal is too narrow. */
export function reportSpec(kind: ReportKind): ReportSpec {
  return REPORTS[kind];
}
