import { Injectable, type OnModuleInit } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { demand } from '../../../platform/context/demand';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import { type ListResult, SingleResult } from '../../../platform/http/results';
import { type ExpectedVersions, requireVersion } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { Store } from '../../../platform/resource/store';
import { InjectReader, InjectStore } from '../../../platform/resource/store.module';
import { AgentNotices } from '../../users/notices/agent-notices';
import { requireActiveUser } from '../../users/user-lookup';
import { requireUnmerged } from '../relations/ticket-pair';
import { Ticket } from '../ticket.entity';
import type { CreateFollower } from './follower.dto';
import { type FollowReason, TicketFollower } from './follower.entity';

/** Followers of one ticket. */
const MAX_FOLLOWERS = 100;

/** Following never changes: it begins and ends. */
const VERSION = 1;

/** Who follows tickets. What they are told of, and how, is theirs to say (`followed` of their notifications). */
@Injectable()
export class FollowersService implements OnModuleInit {
  constructor(
    @InjectReader(TicketFollower) private readonly followers: Reader<TicketFollower>,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
    private readonly notices: AgentNotices,
  ) {}

  onModuleInit(): void {
    this.notices.followedBy(
      (event) =>
        `SELECT f.user_id FROM ticket_followers f WHERE f.workspace_id = ${event}.workspace_id AND f.ticket_id = ${event}.object_id`,
    );
  }

  async listOf(ticketId: number, params: ListParams): Promise<ListResult> {
    await this.tickets.require(ticketId);
    return this.followers.list(params, { ticket_id: ticketId });
  }

  read(ticketId: number, id: number): Promise<SingleResult> {
    return this.followers.read(id, { ticket_id: ticketId });
  }

  /** Lets a user follow a ticket, the caller unless another is named; 422 for who follows it already. */
  follow(ticketId: number, body: CreateFollower): Promise<SingleResult> {
    const own = current().principal?.userId ?? null;
    const userId = body.user_id ?? own;
    if (userId === null) invalid('user_id', 'required', '"user_id" is needed, as the token belongs to no user.');
    if (userId !== own) demand('tickets.update');
    return this.database.transaction(async () => {
      requireUnmerged(await this.tickets.lock(ticketId), 'id');
      await requireActiveUser(this.database, 'user_id', userId, 'only active users can follow tickets');
      await this.requireRoom(ticketId);
      const [id] = await this.insert(ticketId, [userId], 'manual');
      if (id === undefined) invalid('user_id', 'duplicate', 'The user follows the ticket already.');
      const related = { follower: { id, ticket_id: ticketId, user_id: userId } };
      await this.tickets.announce(ticketId, ['ticket.followed'], related);
      const { json, etag } = await this.followers.read(id, { ticket_id: ticketId });
      return new SingleResult(json, etag, 201);
    });
  }

  unfollow(ticketId: number, id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const shown = await this.followers.read(id, { ticket_id: ticketId });
      requireVersion(expected, VERSION);
      const [gone] = await this.database.query<{ user_id: number }>(
        'DELETE FROM ticket_followers WHERE workspace_id = $1 AND id = $2 RETURNING user_id',
        [currentWorkspaceId(), id],
      );
      const { user_id: userId } = gone ?? this.followers.missing(id);
      if (userId !== current().principal?.userId) demand('tickets.update');
      const related = { follower: { id, ticket_id: ticketId, user_id: userId } };
      await this.tickets.announce(ticketId, ['ticket.unfollowed'], related);
      return shown;
    });
  }

  /** Those who came about with something else that is told; who follows already goes on. Inside a unit of work that holds the ticket. */
  async add(ticketId: number, userIds: readonly number[], reason: FollowReason): Promise<void> {
    if (userIds.length > 0) await this.insert(ticketId, userIds, reason);
  }

  private async insert(ticketId: number, userIds: readonly number[], reason: FollowReason): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(
      `INSERT INTO ticket_followers (workspace_id, ticket_id, user_id, reason)
       SELECT $1, $2, v.id, $4 FROM unnest($3::bigint[]) WITH ORDINALITY AS v (id, place) ORDER BY v.place
       LIMIT greatest(0, ${MAX_FOLLOWERS} - (SELECT count(*) FROM ticket_followers WHERE workspace_id = $1 AND ticket_id = $2))
       ON CONFLICT DO NOTHING RETURNING id`,
      [currentWorkspaceId(), ticketId, userIds, reason],
    );
    return rows.map(({ id }) => id);
  }

  private async requireRoom(ticketId: number): Promise<void> {
    const [row] = await this.database.query<{ n: number }>(
      'SELECT count(*) AS n FROM ticket_followers WHERE workspace_id = $1 AND ticket_id = $2',
      [currentWorkspaceId(), ticketId],
    );
    const max = MAX_FOLLOWERS;
    if ((row?.n ?? 0) >= max) invalid('user_id', 'max', `A ticket has at most ${max} followers.`, { max });
  }
}
