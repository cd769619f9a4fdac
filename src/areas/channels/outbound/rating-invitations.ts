import { Injectable, type OnModuleInit } from '@nestjs/common';
import { clockMs } from '../../../platform/context/clock';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { askLater, RatingAskers } from '../../tickets/rating/rating-askers';
import { RatingsService } from '../../tickets/rating/ratings.service';
import { canSend, ChannelsService, leavingStatus } from '../channels.service';
import { ThreadLog } from '../thread-log';
import { ChannelThread } from '../thread.entity';
import { windowClosed } from './reply-window';
import { invitationIn } from './rating-words';

/** Kind of the job that asks in a conversation for a rating; its subject is the ticket. */
const RATING_JOB = 'channel_rating';

/**
 * Asks whoever is at the other end for a rating, in the conversation, when its ticket is resolved: once for each resolution, as long
 * after it as mails would. What is reopened or rated by then, and what the other side would not take any more, is not asked about.
 */
@Injectable()
export class RatingInvitations implements EventConsumer, JobHandler, OnModuleInit {
  readonly name = 'channel-ratings';
  readonly kind = RATING_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 10;
  readonly leaseMs = 30_000;

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    private readonly channels: ChannelsService,
    private readonly log: ThreadLog,
    private readonly ratings: RatingsService,
    private readonly askers: RatingAskers,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
    this.askers.register(async (ticketId) => (await this.asking(ticketId)) !== undefined);
  }

  consume(events: readonly OutboxEvent[]): Promise<void> {
    return askLater(this.database, events, { kind: RATING_JOB, where: IN_A_CHANNEL });
  }

  perform({ subject_id }: Job): Promise<JobOutcome> {
    return Promise.resolve({ settle: () => this.ask(subject_id) });
  }

  private async ask(ticketId: number): Promise<void> {
    const found = await this.asking(ticketId);
    const thread = found && (await this.threads.lockIfAny(found.thread_id));
    const open = thread && (await this.channels.open(thread.channel_id));
    if (!thread || !open || !canSend(open)) return;
    // Again, now that nobody else can write there.
    const still = await this.asking(ticketId);
    if (still?.thread_id !== thread.id || still.is_asked) return;
    if (windowClosed(open, { lastInboundAt: thread.last_inbound_at, author: 'bot', nowMs: clockMs() })) return;
    const { rating_url } = await this.ratings.linkOf(ticketId);
    await this.log.add(thread, {
      body: invitationIn(still.language, rating_url),
      ...{ direction: 'outbound', author_type: 'bot', author_name: open.channel.name },
      ...{ contact_id: thread.contact_id, status: leavingStatus(open), metadata: { rating: still.resolution } },
    });
  }

  private async asking(ticketId: number): Promise<Asking | undefined> {
    const [found] = await this.database.query<Asking & Record<string, unknown>>(ASKING, [
      currentWorkspaceId(),
      ticketId,
    ]);
    return found;
  }
}

/** The conversation in which somebody is to be asked. */
interface Asking {
  thread_id: number;
  language: string | null;
  /** Which ticket, and which resolution of it. */
  resolution: string;
  is_asked: boolean;
}

/** It is spoken of in a channel that asks. */
const IN_A_CHANNEL = `EXISTS (SELECT FROM channel_threads h JOIN channels c ON c.workspace_id = h.workspace_id AND c.id = h.channel_id
  WHERE h.workspace_id = v.workspace_id AND h.ticket_id = v.ticket_id AND c.csat_enabled AND c.status IN ('active', 'error'))`;

/** Of a ticket that is done and has no rating of this resolution: where it was last spoken in a channel that asks. */
const ASKING = `
  SELECT h.id AS thread_id, t.language, t.id || ':' || (t.reopened_count + 1) AS resolution,
    EXISTS (SELECT FROM channel_messages m WHERE m.workspace_id = h.workspace_id AND m.thread_id = h.id
      AND m.metadata @> jsonb_build_object('rating', t.id || ':' || (t.reopened_count + 1)) AND m.author_type = 'bot') AS is_asked
  FROM tickets t JOIN channel_threads h ON h.workspace_id = t.workspace_id AND h.ticket_id = t.id
  JOIN channels c ON c.workspace_id = h.workspace_id AND c.id = h.channel_id
  WHERE t.workspace_id = $1 AND t.id = $2 AND t.status IN ('resolved', 'closed') AND t.merged_into_id IS NULL AND c.csat_enabled
    AND c.status IN ('active', 'error')
    AND NOT EXISTS (SELECT FROM ticket_ratings r WHERE r.workspace_id = t.workspace_id AND r.ticket_id = t.id AND r.resolution = t.reopened_count + 1)
  ORDER BY h.last_message_at DESC NULLS LAST, h.id LIMIT 1`;
