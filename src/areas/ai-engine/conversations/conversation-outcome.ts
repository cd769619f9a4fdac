import { OUTCOMES } from './conversation-values';
import { oneOf } from '../../../platform/query/values';
import type { FilterSpec } from '../../../platform/query/filters';
import { items, several } from '../../../platform/query/values';

/** SQL: an agent has answered the ticket that the conversation `c` is about, since it began. */
export const personAnswered = (c: string): string =>
  `EXISTS (SELECT FROM ticket_comments h WHERE h.workspace_id = ${c}.workspace_id AND h.ticket_id = ${c}.ticket_id
    AND h.author_type = 'agent' AND NOT h.is_internal AND h.created_at >= ${c}.started_at)`;

/** SQL: the contact made another ticket after the moment, about the same category where the conversation has one. */
const cameBack = (c: string, days: string): string =>
  `EXISTS (SELECT FROM tickets n LEFT JOIN tickets o ON o.workspace_id = ${c}.workspace_id AND o.id = ${c}.ticket_id
    WHERE n.workspace_id = ${c}.workspace_id AND n.contact_id = ${c}.contact_id AND n.id IS DISTINCT FROM ${c}.ticket_id
      AND n.created_at > ${c}.resolved_at AND n.created_at <= ${c}.resolved_at + ${days}
      AND (o.category_id IS NULL OR n.category_id IS NOT DISTINCT FROM o.category_id))`;

/** SQL: for how long nothing must come after a resolution that nobody confirmed. */
const verifyingTime = (c: string): string =>
  `(SELECT make_interval(days => coalesce((s.verify ->> 'reopen_days')::integer, 7)) FROM ai_settings s WHERE s.workspace_id = ${c}.workspace_id)`;

const verified = (c: string, days: string): string =>
  `(${c}.resolution_state = 'confirmed' OR ${c}.csat_score >= 4 OR (${c}.contact_id IS NOT NULL
    AND ${c}.resolved_at <= now() - ${days} AND NOT ${cameBack(c, days)}))`;

/**
 * SQL of what became of the conversation `c`, by what is known now: each has one outcome, and whoever comes back changes it. Null of
 * those that were answered and ended in nothing.
 *
 * @param days SQL of how long nothing must come after a resolution
 */
export const outcomeOf = (c: string, days = verifyingTime(c)): string =>
  `CASE WHEN ${c}.handed_over_at IS NOT NULL OR ${personAnswered(c)} THEN 'assisted_escalation'
    WHEN ${c}.status = 'awaiting_user_reply' THEN 'in_progress'
    WHEN ${c}.answers = 0 THEN 'unassisted'
    WHEN ${c}.status = 'resolved' THEN CASE WHEN ${verified(c, days)} THEN 'verified_resolution' ELSE 'contained_resolution' END END`.replaceAll(
    /\s+/g,
    ' ',
  );

/** `outcome=contained_resolution,verified_resolution`, by what is known now. */
export const outcomeFilter: FilterSpec<string[]> = {
  schema: several({ type: 'string', enum: [...OUTCOMES] }),
  description: 'Any of these, as of now.',
  parse: (raw, name) => items(raw).map((item) => oneOf(OUTCOMES)(item, name)),
  sql: (alias, value, bind) => `(${outcomeOf(alias)}) = ANY(${bind(value)}::text[])`,
};
