import { timestampText } from '../../platform/columns/column-spec';
import type { SqlRelation } from '../../platform/resource/resource';

const moment = (column: string): string => `CASE WHEN k.${column} IS NOT NULL THEN ${timestampText(`k.${column}`)} END`;

/** A clock that ran out is late, whether or not a worker has noticed. */
const late = `(k.outcome = 'active' AND k.due_at <= now())`;

/** SQL of the policy and the clocks of a ticket. @param name SQL of the name of the policy `p` */
const clocksOf = (t: string, name: string): string => `SELECT json_build_object(
    'policy', (SELECT json_build_object('id', p.id, 'name', ${name}, 'version', p.version) FROM sla_policies p
      WHERE p.workspace_id = ${t}.workspace_id AND p.id = ${t}.sla_policy_id),
    'next_due_at', CASE WHEN ${t}.next_sla_due_at IS NOT NULL THEN ${timestampText(`${t}.next_sla_due_at`)} END,
    'clocks', coalesce((SELECT json_agg(json_build_object('metric', k.metric, 'instance', k.instance_no,
      'priority_applied', k.priority_applied, 'target_minutes', k.target_seconds / 60, 'started_at', ${moment('started_at')},
      'due_at', ${moment('due_at')}, 'at_risk_at', ${moment('at_risk_at')}, 'fulfilled_at', ${moment('fulfilled_at')},
      'breached_at', CASE WHEN ${late} THEN ${moment('due_at')} ELSE ${moment('breached_at')} END,
      'outcome', CASE WHEN ${late} THEN 'breached' ELSE k.outcome END) ORDER BY k.started_at, k.id)
      FROM sla_clocks k WHERE k.workspace_id = ${t}.workspace_id AND k.ticket_id = ${t}.id), '[]'::json))`;

/**
 * `expand=sla` of a ticket: its policy and clocks as they are at this moment, many tickets in one statement. The working
 * seconds, which need the schedule, are in `GET /tickets/{id}/sla`. Who may not read policies is told their ids alone.
 */
export const slaRelation: SqlRelation = {
  sql: (t) => clocksOf(t, 'p.name'),
  of: { resource: 'sla_policies', hidden: (t) => clocksOf(t, 'NULL') },
  schema: {
    type: 'object',
    description:
      'Policy, next due moment and clocks. What follows from the hours of the policy (working and overdue seconds, pauses), why it applies and the history are in `GET /tickets/{id}/sla` alone.',
    additionalProperties: true,
  },
};
