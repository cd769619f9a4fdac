import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import { type ListResult, SingleResult } from '../../../platform/http/results';
import { type ExpectedVersions, requireVersion } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { Store } from '../../../platform/resource/store';
import { InjectReader, InjectStore } from '../../../platform/resource/store.module';
import { Ticket } from '../ticket.entity';
import type { CreateLink } from './link.dto';
import { TicketLink } from './link.entity';
import { type KeptLink, keptLink, type LinkSide, sidesOf } from './link-types';
import { lockedPair } from './ticket-pair';

/** Links of one ticket. */
const MAX_LINKS = 100;

/** Links never change: they are made and undone. */
const VERSION = 1;

/** Links between tickets. Both of them show a link, and both tell of it: `ticket.linked`, `ticket.unlinked`. */
@Injectable()
export class LinksService {
  constructor(
    @InjectReader(TicketLink) private readonly links: Reader<TicketLink>,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
  ) {}

  async listOf(ticketId: number, params: ListParams): Promise<ListResult> {
    await this.tickets.require(ticketId);
    return this.links.list(params, { ticket_id: ticketId });
  }

  async read(ticketId: number, id: number): Promise<SingleResult> {
    return this.links.read(id, { ticket_id: ticketId });
  }

  /** Links two tickets; 422 for one with itself, for what was merged, and where there is such a link already. */
  link(ticketId: number, { type, linked_ticket_id: otherId }: CreateLink): Promise<SingleResult> {
    return this.database.transaction(async () => {
      await lockedPair(this.tickets, ticketId, otherId, 'linked_ticket_id');
      await this.requireRoom(ticketId, otherId);
      const { from, to, ...kept } = keptLink(ticketId, type, otherId);
      const author = current().principal?.userId ?? null;
      const [row] = await this.database.query<{ id: number }>(
        `INSERT INTO ticket_links (workspace_id, type, from_id, to_id, created_by) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING id`,
        [currentWorkspaceId(), kept.type, from, to, author],
      );
      if (!row) invalid('linked_ticket_id', 'duplicate', `The tickets have a link "${kept.type}" already.`);
      await this.tell('ticket.linked', row.id, { ...kept, from, to });
      const { json, etag } = await this.links.read(row.id, { ticket_id: ticketId });
      return new SingleResult(json, etag, 201);
    });
  }

  unlink(ticketId: number, id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const shown = await this.links.read(id, { ticket_id: ticketId });
      requireVersion(expected, VERSION);
      const [gone] = await this.database.query<KeptLink>(
        `DELETE FROM ticket_links WHERE workspace_id = $1 AND id = $2 RETURNING type, from_id AS "from", to_id AS "to"`,
        [currentWorkspaceId(), id],
      );
      await this.tell('ticket.unlinked', id, gone ?? this.links.missing(id));
      return shown;
    });
  }

  /** Ends what a ticket that goes is linked with, and the others tell of it. Inside the unit of work of its deletion. */
  async unlinkAll(ticketId: number): Promise<void> {
    const gone = await this.database.query<KeptLink & { id: number }>(
      `DELETE FROM ticket_links WHERE workspace_id = $1 AND (from_id = $2 OR to_id = $2)
       RETURNING id, type, from_id AS "from", to_id AS "to"`,
      [currentWorkspaceId(), ticketId],
    );
    const told = gone.flatMap(({ id, ...link }) => {
      const others = sidesOf(link).filter(({ ticket_id }) => ticket_id !== ticketId);
      return others.map((side) => this.telling('ticket.unlinked', id, side));
    });
    if (told.length > 0) await this.database.run(told);
  }

  private async requireRoom(ticketId: number, otherId: number): Promise<void> {
    const [full] = await this.database.query<{ ticket_id: number }>(
      `SELECT ticket_id FROM ticket_link_sides WHERE workspace_id = $1 AND ticket_id = ANY($2::bigint[])
       GROUP BY ticket_id HAVING count(*) >= ${MAX_LINKS} LIMIT 1`,
      [currentWorkspaceId(), [ticketId, otherId]],
    );
    if (!full) return;
    const message = `Ticket ${full.ticket_id} has ${MAX_LINKS} links already.`;
    invalid('linked_ticket_id', 'max', message, { max: MAX_LINKS });
  }

  /** To each of the tickets, as it looks from there. */
  private tell(event: string, id: number, link: KeptLink): Promise<void> {
    return this.database.run(sidesOf(link).map((side) => this.telling(event, id, side)));
  }

  private telling(event: string, id: number, side: LinkSide): ReturnType<Store<Ticket>['announcement']> {
    return this.tickets.announcement(side.ticket_id, [event], { link: { id, ...side } });
  }
}
