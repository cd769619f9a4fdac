import { followsPolicy } from './clock-time';
import type { Clock, Pause } from './clock-types';
import type { Policy } from './policy-match';
import type { StoredClocks } from './sla-transition';

/** A clock as its row is read: moments in any of PostgreSQL's forms. */
export type ClockRow = { -readonly [name in keyof Clock]: Clock[name] } & {
  policy_id: number | null;
  policy_version: number;
};

/** What of a ticket its clocks start from; moments in any of PostgreSQL's forms. */
export interface TicketFacts {
  readonly status: string;
  readonly priority: string;
  readonly channel: string;
  readonly created_at: string;
  readonly first_response_at: string | null;
  /** See `SlaState`; without it nobody looked. */
  readonly unanswered_since?: string | null;
}

const COLUMNS = `metric, instance_no, priority_applied, target_seconds, started_at, pauses, due_at, at_risk_at, at_risk_notified, fulfilled_at, breached_at, outcome, figures, policy_id, policy_version`;

/** SQL of the clocks of a ticket, oldest first, as a JSON array of {@link ClockRow}; null without any. */
export function clocksSql(workspace: string, ticket: string): string {
  return `(SELECT json_agg(row_to_json(k)) FROM (SELECT ${COLUMNS} FROM sla_clocks WHERE workspace_id = ${workspace} AND ticket_id = ${ticket} ORDER BY started_at, id) k)`;
}

/**
 * SQL of the requester's first public comment since the last answer and the last resolution; null without any.
 *
 * @param policy SQL of the id of the policy that says whose comments answer
 */
export function unansweredSql(workspace: string, ticket: string, policy: string): string {
  const comments = (alias: string, authors: string): string =>
    `ticket_comments ${alias} WHERE ${alias}.workspace_id = ${workspace} AND ${alias}.ticket_id = ${ticket} AND NOT ${alias}.is_internal AND (${authors})`;
  const counts = `EXISTS (SELECT FROM sla_policies o WHERE o.workspace_id = ${workspace} AND o.id = ${policy} AND o.ai_counts_as_response)`;
  const answered = `SELECT max(a.created_at) FROM ${comments('a', `a.author_type = 'agent' OR (a.author_type IN ('ai', 'automation') AND ${counts})`)}`;
  const resolved = `SELECT max((h.pause ->> 'from')::timestamptz) FROM sla_clocks k CROSS JOIN jsonb_array_elements(k.pauses) h (pause)
    WHERE k.workspace_id = ${workspace} AND k.ticket_id = ${ticket} AND h.pause ->> 'kind' = 'resolved'`;
  return `(SELECT min(q.created_at) FROM ${comments('q', `q.author_type = 'requester'`)}
    AND q.created_at > coalesce(greatest((${answered}), (${resolved})), '-infinity'))`;
}

/** The stored clocks of a ticket as the engine takes them. */
export function storedClocks(ticket: TicketFacts, rows: readonly ClockRow[], policy: Policy | null): StoredClocks {
  const { status, priority, channel, created_at, first_response_at, unanswered_since = null } = ticket;
  return {
    state: {
      clocks: rows.map(clockOf),
      // Without clocks no policy has made its promises yet, whatever the ticket says.
      terms: rows.length === 0 ? null : policy,
      status,
      priority,
      channel,
      created_at: iso(created_at),
      first_response_at: isoOrNull(first_response_at),
      unanswered_since: isoOrNull(unanswered_since),
    },
    policy,
    stale: rows.some(
      (row) => followsPolicy(row) && row.policy_version !== (policy?.policy_version ?? row.policy_version),
    ),
  };
}

function clockOf(row: ClockRow): Clock {
  const { policy_id: _policy, policy_version: _version, ...clock } = row;
  return {
    ...clock,
    started_at: iso(row.started_at),
    due_at: isoOrNull(row.due_at),
    at_risk_at: isoOrNull(row.at_risk_at),
    fulfilled_at: isoOrNull(row.fulfilled_at),
    breached_at: isoOrNull(row.breached_at),
    pauses: row.pauses.map(({ from, to, kind }): Pause => ({ from: iso(from), to: isoOrNull(to), kind })),
  };
}

const iso = (moment: string): string => new Date(moment).toISOString();
const isoOrNull = (moment: string | null): string | null => (moment === null ? null : iso(moment));
