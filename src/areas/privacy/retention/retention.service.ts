import { Injectable } from '@nestjs/common';
import { timestampText } from '../../../platform/columns/column-spec';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { LogRetention } from './log-retention';
import { held, longestClosed, RetentionRules, type TicketRuleName } from './retention-rules';
import type { RetentionPreview, RetentionQuery } from './retention.dto';

/** Tickets that are counted. */
const MOST = 10_000;

const count = (rule: TicketRuleName): string => `
  SELECT count(*) FILTER (WHERE NOT c.is_held)::integer AS count, count(*) FILTER (WHERE c.is_held)::integer AS held_count,
    count(*) < ${MOST} AS is_complete, ${timestampText('min(c.closed_at)')} AS oldest_closed_at
  FROM ${longestClosed(rule, `${held('$3')} AS is_held`, '', MOST)}`;

type Counted = Pick<RetentionPreview['tickets'], 'count' | 'held_count' | 'is_complete' | 'oldest_closed_at'>;
const NOTHING: Counted = { count: 0, held_count: 0, is_complete: true, oldest_closed_at: null };

/** Entries of the logs that the preview tells of. */
const NO_ENTRIES = {
  audit_logs: 0,
  webhook_deliveries: 0,
  integration_logs: 0,
  automation_runs: 0,
  outgoing_mails: 0,
};

/** Tells what the rules of a workspace would do, without doing it. */
@Injectable()
export class RetentionService {
  constructor(
    private readonly database: Database,
    private readonly rules: RetentionRules,
    private readonly logs: LogRetention,
  ) {}

  /** @param asked days instead of those of the rules */
  async preview(asked: RetentionQuery): Promise<RetentionPreview> {
    const { tickets, anonymise } = await this.database.transaction(async () => ({
      tickets: await this.ofTickets('tickets', asked.ticket_days ?? null),
      anonymise: await this.ofTickets('anonymise', asked.anonymise_days ?? null),
    }));
    const logs = await this.logs.count(asked.log_days ?? null);
    return { tickets, anonymise, logs: { ...logs, counts: { ...NO_ENTRIES, ...logs.counts } } };
  }

  private async ofTickets(rule: TicketRuleName, asked: number | null): Promise<RetentionPreview['tickets']> {
    const { days, before, tag } = await this.rules.of(rule, asked);
    if (days === null || before === null) return { days, before, hold_tag: tag, ...NOTHING };
    const values = [currentWorkspaceId(), before, tag];
    const [counted] = await this.database.query<Counted & Record<string, unknown>>(count(rule), values);
    return { days, before, hold_tag: tag, ...(counted ?? NOTHING) };
  }
}
