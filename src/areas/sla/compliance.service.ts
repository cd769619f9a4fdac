import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { currentSight } from '../../platform/context/demand';
import { SharedReads } from '../../platform/database/shared-reads';
import { andSeen, filled, seenRecord } from '../../platform/resource/read/sight';
import type { ComplianceGroup, ComplianceScope } from './compliance-query';
import type { Compliance, ComplianceRow, KeptPromises } from './compliance-answer';
import { dueClocks, unnoticedWithin } from './due-clocks';

const COLUMNS: Readonly<Record<ComplianceGroup, { name: keyof ComplianceRow; sql: string; order: string }>> = {
  metric: { name: 'metric', sql: 'd.metric', order: 'd.metric' },
  priority: {
    name: 'priority',
    sql: 'd.priority',
    order: `array_position(ARRAY['urgent', 'high', 'medium', 'low'], d.priority)`,
  },
  team: { name: 'team_id', sql: 'd.team_id', order: 'd.team_id' },
  agent: { name: 'agent_id', sql: 'd.agent_id', order: 'd.agent_id' },
};
const MAX_GROUPS = 1_000;

/**
 * How many promises were kept: product reference 3.8. A clock counts when it was decided, by its answer or by its breach, whichever
 * was first; running, paused and cancelled ones do not.
 */
@Injectable()
export class ComplianceService {
  constructor(private readonly shared: SharedReads) {}

  async of({ from, to, groupBy }: ComplianceScope): Promise<Compliance> {
    const columns = groupBy.map((group) => COLUMNS[group]);
    const keys = columns.map(({ name, sql }) => `'${name}', ${sql}`);
    const group = [...new Set(columns.flatMap(({ sql, order }) => [sql, order]))];
    const counts = `'met', count(*) FILTER (WHERE d.met), 'breached', count(*) FILTER (WHERE NOT d.met)`;
    const sight = currentSight();
    const record = sight && seenRecord('tickets', 'c.ticket_id', 'c.workspace_id', sight);
    const seen = record ? ` AND ${record}` : '';
    // The second half are breaches that no worker has noticed yet.
    const text = `WITH d AS MATERIALIZED (
        SELECT metric, priority_applied AS priority, team_id, agent_id, outcome = 'met' AS met FROM sla_clocks c
        WHERE workspace_id = $1${seen} AND decided_at >= $2 AND decided_at < $3 AND outcome IN ('met', 'breached')
        UNION ALL
        SELECT k.metric, k.priority_applied, t.team_id, t.assigned_to, false
        FROM ${dueClocks(unnoticedWithin('$2', '$3'))} k
          CROSS JOIN LATERAL (SELECT t.* FROM tickets t WHERE t.workspace_id = k.workspace_id AND t.id = k.ticket_id${andSeen('tickets', 't')} OFFSET 0) t
      )
      SELECT (SELECT json_build_object(${counts}) FROM d) AS total, ${
        columns.length === 0
          ? `'[]'::json`
          : `(SELECT coalesce(json_agg(g.row), '[]') FROM (SELECT json_build_object(${[...keys, counts].join(', ')}) AS row FROM d
             GROUP BY ${group.join(', ')} ORDER BY ${columns.map(({ order }) => `${order} NULLS LAST`).join(', ')} LIMIT ${MAX_GROUPS + 1}) g)`
      } AS groups`;
    const values = [currentWorkspaceId(), from, to];
    const [row] = await this.shared.read<{ total: KeptPromises; groups: ComplianceRow[] }>(filled({ text, values }));
    const { total, groups } = row ?? { total: { met: 0, breached: 0 }, groups: [] };
    return {
      from,
      to,
      group_by: groupBy,
      total: rated(total),
      groups: groups.slice(0, MAX_GROUPS).map(rated),
      truncated: groups.length > MAX_GROUPS,
    };
  }
}

/** met / (met + breached), in per cent. */
export function rated<T extends { met: number; breached: number }>(tally: T): T & KeptPromises {
  const decided = tally.met + tally.breached;
  return { ...tally, compliance_pct: decided === 0 ? null : Math.round((tally.met / decided) * 10_000) / 100 };
}
