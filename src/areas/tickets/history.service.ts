import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { fail } from '../../platform/errors/api-error';
import type { ListResult } from '../../platform/http/results';
import { andSeen } from '../../platform/resource/read/sight';
import { type ListParams, Reader } from '../../platform/resource/reader';
import { InjectReader } from '../../platform/resource/store.module';
import { TicketHistoryEntry } from './history.entity';
import { Ticket } from './ticket.entity';

/** What happened to a ticket, newest first; also after its deletion. */
@Injectable()
export class HistoryService {
  constructor(
    @InjectReader(TicketHistoryEntry) private readonly records: Reader<TicketHistoryEntry>,
    @InjectReader(Ticket) private readonly tickets: Reader<Ticket>,
    private readonly database: Database,
  ) {}

  async of(ticketId: number, params: ListParams): Promise<ListResult> {
    // Of a ticket that is gone nobody knows who would see it: whoever sees only some tickets is told of none.
    if (andSeen('tickets', 't') !== '') await this.tickets.require(ticketId);
    const page = await this.records.list(params, { object: 'ticket', object_id: ticketId, position: 1 });
    if (page.total === 0 && !(await this.knows(ticketId))) fail('not_found', `No ticket ${ticketId}.`);
    return page;
  }

  /** A ticket that is there may have no events (imported in bulk, or older than the log), one that is gone may have some. */
  private async knows(ticketId: number): Promise<boolean> {
    const rows = await this.database.read({
      text: `SELECT 1 FROM events WHERE workspace_id = $1 AND object = 'ticket' AND object_id = $2
             UNION ALL SELECT 1 FROM tickets WHERE workspace_id = $1 AND id = $2 LIMIT 1`,
      values: [currentWorkspaceId(), ticketId],
    });
    return rows.length > 0;
  }
}
