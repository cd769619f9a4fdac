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

/** SQL: whether no rule may touch a ticket (`t`). @param tag SQL, text */
export const held = (tag: string): string => `lower(${tag}) = ANY (string_to_array(lower(t.tags), ','))`;

/** SQL: the tickets (`t`) that a rule is about, whenever they were closed. */
export const CONCERNED: Readonly<Record<TicketRuleName, string>> = {
  tickets: `t.status = 'closed'`,
  anonymise: `t.status = 'closed' AND t.anonymised_at IS NULL`,
};

/** SQL: of them those of `$1` that were closed before `$2`. */
export const closed = (rule: TicketRuleName): string =>
  `t.workspace_id = $1 AND ${CONCERNED[rule]} AND t.closed_at <= $2::timestamptz`;

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
