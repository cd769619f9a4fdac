import { Injectable } from '@nestjs/common';
import { timestampText } from '../../../platform/columns/column-spec';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { CLOSED, held, RetentionRules } from './retention-rules';
import type { RetentionPreview } from './retention.dto';

/** Tickets that are counted. */
const MOST = 10_000;

const COUNT = `
  SELECT count(*) FILTER (WHERE NOT d.is_held)::integer AS count, count(*) FILTER (WHERE d.is_held)::integer AS held_count,
    count(*) < ${MOST} AS is_complete, ${timestampText('min(d.closed_at)')} AS oldest_closed_at
  FROM (SELECT t.closed_at, ${held('$3')} AS is_held FROM tickets t WHERE ${CLOSED} ORDER BY t.closed_at, t.id LIMIT ${MOST}) d`;

type Counted = Pick<RetentionPreview['tickets'], 'count' | 'held_count' | 'is_complete' | 'oldest_closed_at'>;

/** Tells what the rules of a workspace would delete, without doing it. */
@Injectable()
export class RetentionService {
  constructor(
    private readonly database: Database,
    private readonly rules: RetentionRules,
  ) {}

  /** @param ticketDays instead of those of the rule */
  preview(ticketDays: number | null): Promise<RetentionPreview> {
    return this.database.transaction(async () => {
      const { days, before, tag } = await this.rules.ofTickets(ticketDays);
      const nothing: Counted = { count: 0, held_count: 0, is_complete: true, oldest_closed_at: null };
      if (days === null || before === null) return { tickets: { days, before, hold_tag: tag, ...nothing } };
      const values = [currentWorkspaceId(), before, tag];
      const [counted] = await this.database.query<Counted & Record<string, unknown>>(COUNT, values);
      return { tickets: { days, before, hold_tag: tag, ...(counted ?? nothing) } };
    });
  }
}
