import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import { commentIdsOf } from '../../tickets/ticket-lookup';
import { TicketsService } from '../../tickets/tickets.service';
import { ErasuresService } from '../erasures.service';
import { held, longestClosed, RetentionRules, type TicketRuleName } from './retention-rules';

/** Tickets that are looked up at a time; each is done in a transaction of its own. */
export const CHUNK = 20;

/** A ticket whose time is over. */
export interface Due {
  id: number;
  version: number;
  closed_at: string;
}

export type Place = Pick<Due, 'closed_at' | 'id'>;
export const BEGINNING: Place = { closed_at: '-infinity', id: 0 };

/** The next ones behind a place; those that are held are passed over. */
const next = (rule: TicketRuleName): string => `
  SELECT c.id, c.version, c.closed_at::text AS closed_at
  FROM ${longestClosed(rule, 't.version', ` AND (t.closed_at, t.id) > ($4::timestamptz, $5::bigint) AND NOT ${held('$3')}`, CHUNK)}
  ORDER BY c.closed_at, c.id`;

/** Closed tickets whose time is over: deletes them, or makes them anonymous, and notes them for the erasure that takes them out of all copies. */
@Injectable()
export class TicketRetention {
  constructor(
    private readonly database: Database,
    private readonly rules: RetentionRules,
    private readonly tickets: TicketsService,
    private readonly erasures: ErasuresService,
  ) {}

  /** The rule is asked anew each time: one that is taken back ends it. */
  next(rule: TicketRuleName, { closed_at, id }: Place): Promise<Due[]> {
    return this.database.transaction(async () => {
      const { before, tag } = await this.rules.of(rule);
      if (before === null) return [];
      const values = [currentWorkspaceId(), before, tag, closed_at, id];
      return this.database.query<Due & Record<string, unknown>>(next(rule), values);
    });
  }

  /** Unless somebody has changed it since it was looked up: the next run looks again. */
  async one(runId: number, rule: TicketRuleName, { id, version }: Due): Promise<void> {
    const expected = { any: false, versions: new Set([version]), hasWeak: false };
    try {
      await this.database.transaction(async () => {
        const comments = await commentIdsOf(this.database, id);
        if (rule === 'tickets') await this.tickets.remove(id, expected);
        else await this.tickets.anonymise(id, expected);
        const erasureId = await this.erasures.ofRecords();
        await this.erasures.note(erasureId, 'ticket', [id]);
        await this.erasures.note(erasureId, 'comment', comments);
        await this.database.query(
          `UPDATE retention_runs SET deleted_count = deleted_count + 1, erasure_id = $3 WHERE workspace_id = $1 AND id = $2`,
          [currentWorkspaceId(), runId, erasureId],
        );
      });
    } catch (error) {
      if (!(error instanceof ApiError) || !['precondition_failed', 'not_found'].includes(error.type)) throw error;
    }
  }
}
