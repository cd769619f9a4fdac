import { Injectable, type OnModuleInit } from '@nestjs/common';
import { clockMs } from '../../../platform/context/clock';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import type { AttachedFile } from '../../attachments/holders/attached-file';
import { canSend, ChannelsService, leavingStatus } from '../channels.service';
import { MailDesk } from '../email/mail-desk';
import { ThreadLog } from '../thread-log';
import { ChannelThread } from '../thread.entity';
import { windowClosed } from './reply-window';

/** Kind of the job that makes a message of a comment; its subject is the comment, its group the ticket. */
export const REPLY_JOB = 'channel_reply';

/** Authors of comments whose names customers read. */
const NAMED: readonly string[] = ['agent', 'ai'];

interface Reply {
  thread_id: number;
  body: string;
  author_type: string;
  author_id: number | null;
  author_name: string | null;
  attachments: AttachedFile[];
}

/** Sends what somebody wrote on a ticket to the conversation that the ticket is of: each comment once. */
@Injectable()
export class CommentReplyJob implements JobHandler, OnModuleInit {
  readonly kind = REPLY_JOB;
  /** One at a time per ticket: in the order they were written. */
  readonly perGroup = 1;
  readonly perWorkspace = 10;
  readonly leaseMs = 30_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    private readonly channels: ChannelsService,
    private readonly log: ThreadLog,
    private readonly mails: MailDesk,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  perform({ subject_id }: Job): Promise<JobOutcome> {
    return Promise.resolve({ settle: () => this.write(subject_id) });
  }

  private async write(commentId: number): Promise<void> {
    const [reply] = await this.database.query<Reply>(REPLY, [currentWorkspaceId(), commentId]);
    const thread = reply && (await this.threads.lockIfAny(reply.thread_id));
    const open = thread && (await this.channels.open(thread.channel_id));
    if (!reply || !thread || !open || open.channel.status === 'archived' || !canSend(open)) return;
    // Again, now that nobody else can write there.
    const [still] = await this.database.query<Reply>(REPLY, [currentWorkspaceId(), commentId]);
    if (!still || still.thread_id !== thread.id) return;
    const author = still.author_type === 'agent' ? 'agent' : 'bot';
    const closed = windowClosed(open, { lastInboundAt: thread.last_inbound_at, author, nowMs: clockMs() });
    const written = await this.log.add(thread, {
      body: still.body,
      attachments: still.attachments,
      direction: 'outbound',
      author_type: author,
      author_id: author === 'agent' ? still.author_id : null,
      // What a rule is called is for those who made it.
      author_name: NAMED.includes(still.author_type) ? still.author_name : open.channel.name,
      contact_id: thread.contact_id,
      comment_id: commentId,
      ...(closed ? { status: 'failed', error: closed } : { status: leavingStatus(open) }),
      isMailed: open.adapter.isMailed,
    });
    if (closed) await this.log.tellFailure(thread.id, { id: written.id, error: closed });
    if (open.adapter.isMailed === true) await this.mails.catchUp(commentId);
  }
}

/** The comment as it is now, unless it is internal by now or a message already, and the conversation that was last spoken in. */
const REPLY = `
  SELECT h.id AS thread_id, c.body, c.author_type, c.author_id, c.author_name, c.attachments
  FROM ticket_comments c
  JOIN channel_threads h ON h.workspace_id = c.workspace_id AND (h.ticket_id = c.ticket_id
    OR h.ticket_id IN (SELECT t.id FROM tickets t WHERE t.workspace_id = c.workspace_id AND t.merged_into_id = c.ticket_id))
  WHERE c.workspace_id = $1 AND c.id = $2 AND NOT c.is_internal AND c.author_type <> 'requester'
    AND NOT EXISTS (SELECT FROM channel_messages m WHERE m.workspace_id = c.workspace_id AND m.comment_id = c.id)
  ORDER BY h.last_message_at DESC NULLS LAST, h.id LIMIT 1`;
