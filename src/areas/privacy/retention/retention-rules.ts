import { Injectable } from '@nestjs/common';
import { timestampText } from '../../../platform/columns/column-spec';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { UNSET } from '../../workspace/workspace-settings';

/** SQL of the rules, of columns of `workspaces`; they mean what `workspace-settings.ts` says. */
export const TICKET_DAYS = `(settings ->> 'retention_ticket_days')::integer`;
export const HOLD_TAG = `coalesce(settings ->> 'retention_hold_tag', '${UNSET.retention_hold_tag}')`;

/** SQL: whether no rule may delete a ticket (`t`). @param tag SQL, text */
export const held = (tag: string): string => `lower(${tag}) = ANY (string_to_array(lower(t.tags), ','))`;

/** SQL: the tickets (`t`) of `$1` that were closed before `$2`. */
export const CLOSED = `t.workspace_id = $1 AND t.status = 'closed' AND t.closed_at <= $2::timestamptz`;

/** What a workspace says of how long closed tickets are kept. */
export interface TicketRule {
  /** null = for ever. */
  days: number | null;
  /** ISO 8601: what was closed by then is kept no longer. */
  before: string | null;
  /** Tickets with it are kept whatever the rule says. */
  tag: string;
}

const RULE = `
  SELECT w.days, w.tag, ${timestampText('now() - make_interval(days => w.days)')} AS before
  FROM (SELECT coalesce($2::integer, ${TICKET_DAYS}) AS days, ${HOLD_TAG} AS tag FROM workspaces WHERE id = $1) w`;

/** Knows the rules of the current workspace. Inside a unit of work. */
@Injectable()
export class RetentionRules {
  constructor(private readonly database: Database) {}

  /** @param days instead of those of the rule */
  async ofTickets(days: number | null = null): Promise<TicketRule> {
    const [rule] = await this.database.query<TicketRule & Record<string, unknown>>(RULE, [currentWorkspaceId(), days]);
    return rule ?? { days: null, before: null, tag: '' };
  }
}
