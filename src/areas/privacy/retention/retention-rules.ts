import { Injectable } from '@nestjs/common';
import { timestampText } from '../../../platform/columns/column-spec';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { UNSET } from '../../workspace/workspace-settings';
import type { RetentionRule } from './retention-run.entity';

/** Rules about closed tickets. */
export type TicketRuleName = Exclude<RetentionRule, 'logs'>;

/** SQL of the days of each rule, of columns of `workspaces`; they mean what `workspace-settings.ts` says. */
export const DAYS: Readonly<Record<RetentionRule, string>> = {
  tickets: `(settings ->> 'retention_ticket_days')::integer`,
  anonymise: `(settings ->> 'retention_anonymise_days')::integer`,
  logs: `(settings ->> 'retention_log_days')::integer`,
};
export const HOLD_TAG = `coalesce(settings ->> 'retention_hold_tag', '${UNSET.retention_hold_tag}')`;

/** SQL: whether no rule may touch a ticket (`t`). @param tag SQL, text, which may have been stored with blanks around it */
export const held = (tag: string): string => `lower(btrim(${tag})) = ANY (string_to_array(lower(t.tags), ','))`;

/** SQL: closed tickets (`t`) as they were, and those that are anonymous. A ticket is in the index of one of them. */
const AS_IT_WAS = `t.status = 'closed' AND t.anonymised_at IS NULL`;
const ANONYMOUS = `t.status = 'closed' AND t.anonymised_at IS NOT NULL`;

/** SQL: the tickets (`t`) that a rule is about, whenever they were closed, by index. */
export const CONCERNED: Readonly<Record<TicketRuleName, readonly string[]>> = {
  tickets: [AS_IT_WAS, ANONYMOUS],
  anonymise: [AS_IT_WAS],
};

/**
 * SQL (`FROM`) of those tickets of `$1` that a rule is about and that were closed by `$2`, the longest closed first: `c`, with `id`, `closed_at` and …
 *
 * @param columns … these, of `t`
 * @param more further conditions on `t`
 * @param most how many at most
 */
export function longestClosed(rule: TicketRuleName, columns: string, more: string, most: number): string {
  const parts = CONCERNED[rule].map(
    (part) =>
      `(SELECT t.id, t.closed_at, ${columns} FROM tickets t WHERE t.workspace_id = $1 AND ${part} AND t.closed_at <= $2::timestamptz${more} ORDER BY t.closed_at, t.id LIMIT ${most})`,
  );
  return `(SELECT * FROM (${parts.join(' UNION ALL ')}) p ORDER BY p.closed_at, p.id LIMIT ${most}) c`;
}

/** What a workspace says of how long something is kept. */
export interface Rule {
  /** null = for ever, or as long as the installation keeps it. */
  days: number | null;
  /** ISO 8601: what was closed, or written, by then is kept no longer. */
  before: string | null;
  /** Tickets with it are kept whatever the rule says. */
  tag: string;
}

const ruleOf = (rule: RetentionRule): string => `
  SELECT w.days, w.tag, ${timestampText('now() - make_interval(days => w.days)')} AS before
  FROM (SELECT coalesce($2::integer, ${DAYS[rule]}) AS days, ${HOLD_TAG} AS tag FROM workspaces WHERE id = $1) w`;

/** Knows the rules of the current workspace. Inside a unit of work. */
@Injectable()
export class RetentionRules {
  constructor(private readonly database: Database) {}

  /** @param days instead of those of the rule */
  async of(rule: RetentionRule, days: number | null = null): Promise<Rule> {
    const [found] = await this.database.query<Rule & Record<string, unknown>>(ruleOf(rule), [
      currentWorkspaceId(),
      days,
    ]);
    return found ?? { days: null, before: null, tag: '' };
  }
}
