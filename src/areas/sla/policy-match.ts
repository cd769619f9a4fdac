import { evaluate } from '../../platform/conditions/evaluate';
import type { Conditions, Facts } from '../../platform/conditions/condition';
import type { Terms } from './clock-types';
import type { EscalationStep } from './escalation-step';

/** Why a policy applies, in order of precedence. */
export const MATCHED_BY = ['company', 'category', 'conditions', 'default'] as const;

/** A policy with all that its clocks and its matching depend on. */
export interface Policy extends Terms {
  readonly conditions: Conditions;
  readonly escalation: readonly EscalationStep[];
}

/** A policy that may apply to a ticket. */
export interface Candidate extends Policy {
  readonly matched_by: (typeof MATCHED_BY)[number];
}

/** SQL of a policy as {@link Policy}: members of a `json_build_object` over `alias`. */
const members = (alias: string): string =>
  [
    `'policy_id', ${alias}.id, 'policy_name', ${alias}.name, 'policy_version', ${alias}.version`,
    ...['schedule', 'targets', 'pause_statuses', 'pause_metrics', 'at_risk_threshold_pct', 'ai_counts_as_response'].map(
      (name) => `'${name}', ${alias}.${name}`,
    ),
    `'conditions', ${alias}.conditions, 'escalation', ${alias}.escalation`,
  ].join(', ');

/** SQL of a policy as {@link Policy}, over `alias`. */
export const policySql = (alias: string): string => `json_build_object(${members(alias)})`;

/** SQL of whether today, where the policy's schedule is, lies in the dates of the policy. */
const inForce = (alias: string): string =>
  `coalesce((now() AT TIME ZONE coalesce(${alias}.schedule ->> 'timezone', 'UTC'))::date BETWEEN coalesce(${alias}.starts_on, '-infinity') AND coalesce(${alias}.ends_on, 'infinity'), true)`;

/**
 * SQL of the policies that may apply to a ticket, as an array of {@link Candidate} in order of precedence: the company's,
 * the category's, then the active ones by position, then the workspace's default.
 *
 * @param workspace SQL of the workspace's id
 * @param company SQL of the company's id; null = the ticket has none
 * @param category SQL of the category's id; null = the ticket has none
 */
export function candidatesSql(workspace: string, company: string | null, category: string | null): string {
  const link = (alias: string, table: string, id: string): string =>
    `LEFT JOIN ${table} ${alias} ON ${alias}.workspace_id = p.workspace_id AND ${alias}.id = ${id} AND ${alias}.sla_policy_id = p.id`;
  const by = [
    ...(company === null ? [] : [`WHEN c.id IS NOT NULL THEN 'company'`]),
    ...(category === null ? [] : [`WHEN g.id IS NOT NULL THEN 'category'`]),
    `WHEN p.is_default THEN 'default'`,
  ];
  const ranks = MATCHED_BY.map((name, rank) => `WHEN '${name}' THEN ${rank}`).join(' ');
  return `SELECT json_agg(json_build_object(${members('p')}, 'matched_by', p.matched_by) ORDER BY CASE p.matched_by ${ranks} END, p.position, p.id)
    FROM (SELECT p.*, CASE ${by.join(' ')} ELSE 'conditions' END AS matched_by FROM sla_policies p
      ${company === null ? '' : link('c', 'companies', company)}
      ${category === null ? '' : link('g', 'categories', category)}
      WHERE p.workspace_id = ${workspace} AND (p.is_default OR (p.is_active AND ${inForce('p')}))) p`;
}

/** Whether the policy asks more of a ticket than to exist. */
export function isConditional({ conditions }: Pick<Policy, 'conditions'>): boolean {
  return (conditions.all?.length ?? 0) + (conditions.any?.length ?? 0) > 0;
}

/** Whether facts are needed to choose: a conditional policy stands before the first that applies without any. */
export function needsFacts(candidates: readonly Candidate[]): boolean {
  const certain = candidates.findIndex((each) => each.matched_by !== 'conditions' || !isConditional(each));
  return certain !== 0 && candidates.length > 0;
}

/** The first policy that applies. `facts` may be null where {@link needsFacts} says so. */
export function choosePolicy(candidates: readonly Candidate[], facts: Facts | null): Candidate | null {
  const applies = (each: Candidate): boolean =>
    each.matched_by !== 'conditions' ||
    !isConditional(each) ||
    (facts !== null && evaluate(each.conditions, facts).met);
  return candidates.find(applies) ?? null;
}
