import { Injectable } from '@nestjs/common';
import { clockMs } from '../../../platform/context/clock';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import { type ExpectedVersions, requireVersion } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader, InjectStore } from '../../../platform/resource/store.module';
import { type Change, withRelated } from '../../../platform/resource/change';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { PublicLinks } from '../../../platform/secrets/public-links';
import { Ticket } from '../ticket.entity';
import type { RatingSource } from './rating.entity';
import { cleanComment, linkEnd, requireOwn, requireRatable, resolutionOf } from './rating-rules';
import { TicketRating } from './rating.entity';
import { MomentMember, TextMember } from '../../../platform/http/answer-members';

/** Name of the public page, in its address and in its links. */
export const RATING_PAGE = 'rate';

/** A rating as it is given. */
export interface NewRating {
  score: number;
  comment?: string | null | undefined;
}

/** Answer of `POST /tickets/{id}/rating-link`. */
export class RatingLink {
  @TextMember({ format: 'uri', example: 'https://help.example.com/p/rate/1-2a-t1u4o0-Zm9yIGV4YW1wbGUgb25seSEh' })
  rating_url: string;

  @MomentMember()
  expires_at: string;
}

/** What requesters think of how their tickets were resolved: product reference 1.1 and 1.19. */
@Injectable()
export class RatingsService {
  constructor(
    @InjectReader(TicketRating) private readonly records: Reader<TicketRating>,
    private readonly database: Database,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly links: PublicLinks,
  ) {}

  /** Rates the newest resolution of a ticket; the same again changes nothing. Answers the ticket. */
  rate(
    id: number,
    rating: NewRating,
    expected: ExpectedVersions = null,
    source: RatingSource = 'api',
  ): Promise<SingleResult> {
    return this.tickets.mutate(id, expected, (ticket) => this.rated(ticket, rating, source));
  }

  async listOf(ticketId: number, params: ListParams): Promise<ListResult> {
    await this.tickets.require(ticketId);
    return this.records.list(params, { ticket_id: ticketId });
  }

  /** An address under which the requester can rate the ticket without a token; 422 for one that was merged. */
  async linkOf(ticketId: number, expected: ExpectedVersions = null): Promise<RatingLink> {
    const found = await this.database.transaction(() => this.tickets.find(ticketId));
    const ticket = found ?? this.tickets.missing(ticketId);
    requireVersion(expected, ticket.version);
    requireOwn(ticket);
    const expiresAt = linkEnd(clockMs());
    const rating_url = this.links.url(RATING_PAGE, { workspaceId: currentWorkspaceId(), id: ticketId, expiresAt });
    return { rating_url, expires_at: expiresAt.toISOString() };
  }

  /** The ticket is locked, so that two ratings of one resolution follow each other. */
  private async rated(ticket: Row<Ticket>, given: NewRating, source: RatingSource): Promise<Change<Ticket>> {
    requireRatable(ticket);
    const score = given.score;
    const comment = cleanComment(given.comment);
    const resolution = resolutionOf(ticket);
    const now = await this.database.moment();
    const { team_id, assigned_to } = ticket;
    const stored = await this.database.query(STORE, [
      currentWorkspaceId(),
      ticket.id,
      resolution,
      score,
      comment,
      source,
      team_id,
      assigned_to,
      now,
    ]);
    if (stored.length === 0) return { values: {} };
    return {
      values: { csat_score: score, csat_comment: comment, csat_at: now },
      events: withRelated(['ticket.csat_received'], { rating: { resolution, score, comment, source, rated_at: now } }),
    };
  }
}

/** No row when the resolution was rated the same before. */
const STORE = `
  INSERT INTO ticket_ratings AS r (workspace_id, ticket_id, resolution, score, comment, source, team_id, assigned_to, rated_at, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
  ON CONFLICT (workspace_id, ticket_id, resolution) DO UPDATE SET score = excluded.score, comment = excluded.comment,
    source = excluded.source, team_id = excluded.team_id, assigned_to = excluded.assigned_to, rated_at = excluded.rated_at
  WHERE (r.score, r.comment) IS DISTINCT FROM (excluded.score, excluded.comment)
  RETURNING id`;
