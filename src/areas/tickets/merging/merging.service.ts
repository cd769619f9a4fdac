import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import { withRelated } from '../../../platform/resource/change';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { changeMany } from '../../../platform/resource/many-changes';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { Attaching } from '../../attachments/holders/attaching';
import { requesterName } from '../../contacts/contact-lookup';
import { CommentsService } from '../comments.service';
import { lockedPair } from '../relations/ticket-pair';
import { TICKET_TREE } from '../relations/ticket-tree';
import { type Followed, TicketChanges } from '../ticket-changes';
import type { MergeTicket } from '../ticket.dto';
import { Ticket } from '../ticket.entity';
import { ticketResource } from '../ticket.resource';
import { carriedDescription, carriedValues } from './carried';

/** Merges tickets: the one closes and points on, the other takes over what was said, who takes part, files, and what it is linked with. */
@Injectable()
export class Merging {
  constructor(
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
    private readonly rules: TicketChanges,
    private readonly comments: CommentsService,
    private readonly attaching: Attaching,
  ) {}

  /** Answers the merged ticket; 422 where either was merged before, or the other is below it. */
  merge(id: number, { into_id: intoId, comment }: MergeTicket, expected: ExpectedVersions): Promise<SingleResult> {
    return this.tickets.holding(async () => {
      const [source, target] = await lockedPair(this.tickets, id, intoId, 'into_id');
      await this.requireOutside(source.id, target.id);
      await this.carry(source, target);
      const merged = await this.close(source, target, expected);
      if (comment !== undefined) await this.comments.add(intoId, { body: comment });
      return merged;
    }, TICKET_TREE);
  }

  /** Its events name the other ticket and no more: who sees the one need not see the other. */
  private close(
    source: Row<Ticket>,
    { id: intoId, code }: Row<Ticket>,
    expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.tickets.mutate(source.id, expected, async (before) => {
      const followed: Followed =
        before.status === 'closed'
          ? { values: {}, events: [], more: [], reason: null }
          : await this.rules.follow(before, { status: 'closed' }, { cancels: true });
      const { values, events, more, reason: _none, ...rest } = followed;
      const related = { merged_into: { id: intoId, code } };
      return {
        ...rest,
        values: { ...values, merged_into_id: intoId, comment_count: 0, reply_count: 0 },
        events: withRelated(['ticket.updated', ...events, 'ticket.merged', ...more], related),
      };
    });
  }

  /** A ticket that goes on in a part of itself would be a part of itself. */
  private async requireOutside(id: number, intoId: number): Promise<void> {
    const [inside] = await this.database.query(
      `WITH RECURSIVE above AS (
         SELECT id, parent_id FROM tickets WHERE workspace_id = $1 AND id = $3
         UNION SELECT t.id, t.parent_id FROM above a JOIN tickets t ON t.workspace_id = $1 AND t.id = a.parent_id
       ) SELECT 1 FROM above WHERE parent_id = $2`,
      [currentWorkspaceId(), id, intoId],
    );
    if (inside) invalid('into_id', 'cycle', `Ticket ${intoId} is part of ticket ${id}; merge it the other way round.`);
  }

  private async carry(source: Row<Ticket>, target: Row<Ticket>): Promise<void> {
    const text = carriedDescription(source);
    const ids = [currentWorkspaceId(), source.id, target.id];
    const [moved] = await this.database.query<{ n: number }>(MOVE_COMMENTS, ids);
    if (text !== null) await this.database.query(ADD_DESCRIPTION, [...ids, text]);
    const statements = [DROP_LINKS, MOVE_LINKS, MOVE_FOLLOWERS, DROP_FOLLOWERS];
    await this.database.run(
      statements.map((statement) => ({ text: statement, values: /\$3/.test(statement) ? ids : ids.slice(0, 2) })),
    );
    await this.attaching.move(source.id, target.id);
    await changeMany(this.database, {
      resource: ticketResource.name,
      condition: (bind) => `m.parent_id = ${bind(source.id)}`,
      values: { parent_id: target.id },
      events: ['ticket.updated'],
      changes: { parent_id: { from: source.id, to: target.id } },
    });
    const values = carriedValues(source, target, (moved?.n ?? 0) + (text === null ? 0 : 1));
    const related = { merged_from: { id: source.id, code: source.code } };
    await this.tickets.apply(target, { values, events: withRelated(['ticket.updated'], related), always: true });
  }
}

/** They keep their ids and their moments. What was the first response of the one is none of the other. */
const MOVE_COMMENTS = `
  WITH moved AS (
    UPDATE ticket_comments SET ticket_id = $3, is_first_response = false, version = version + 1, updated_at = now()
    WHERE workspace_id = $1 AND ticket_id = $2 RETURNING 1)
  SELECT count(*) AS n FROM moved`;

const ADD_DESCRIPTION = `
  INSERT INTO ticket_comments (workspace_id, ticket_id, body, author_type, author_id, author_name, author_email, channel, created_at)
  SELECT $1, $3, $4, CASE WHEN t.requester_email IS NULL THEN 'system' ELSE 'requester' END, t.contact_id,
    coalesce(${requesterName('t.requester_name', 't.contact_id')}, t.requester_email, 'system'), t.requester_email, t.channel, t.created_at
  FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2`;

/** Links between the two, and those that the other has itself. */
const DROP_LINKS = `
  DELETE FROM ticket_links l WHERE l.workspace_id = $1 AND $2 IN (l.from_id, l.to_id)
    AND ($3 IN (l.from_id, l.to_id) OR EXISTS (SELECT FROM ticket_links o WHERE o.workspace_id = $1 AND o.type = l.type
      AND $3 IN (o.from_id, o.to_id) AND (CASE l.from_id WHEN $2 THEN l.to_id ELSE l.from_id END) IN (o.from_id, o.to_id)))`;

const MOVE_LINKS = `
  UPDATE ticket_links SET from_id = CASE from_id WHEN $2 THEN $3 ELSE from_id END, to_id = CASE to_id WHEN $2 THEN $3 ELSE to_id END
  WHERE workspace_id = $1 AND $2 IN (from_id, to_id)`;

const MOVE_FOLLOWERS = `
  INSERT INTO ticket_followers (workspace_id, ticket_id, user_id, reason, created_at)
  SELECT workspace_id, $3, user_id, reason, created_at FROM ticket_followers WHERE workspace_id = $1 AND ticket_id = $2
  ON CONFLICT DO NOTHING`;

const DROP_FOLLOWERS = `DELETE FROM ticket_followers WHERE workspace_id = $1 AND ticket_id = $2`;
