import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { ChatReplies } from './chat-replies';

/** Kind of the job that answers in a chat; its subject is the conversation of the channel. */
const CHAT_JOB = 'ai_chat';

/** Jobs for what visitors said where the channel wants the engine. */
const REPLY = `${INSERT_JOBS}
  SELECT DISTINCT e.workspace_id, '${CHAT_JOB}', e.object_id, e.object_id
  FROM json_to_recordset($1::json) AS v(workspace_id bigint, id bigint)
  JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id
  JOIN channel_threads h ON h.workspace_id = e.workspace_id AND h.id = e.object_id
  JOIN channels c ON c.workspace_id = h.workspace_id AND c.id = h.channel_id AND c.type = 'webchat' AND c.config ->> 'ai' IN ('suggest', 'auto')
  WHERE e.related #>> '{message,direction}' = 'inbound'`;

/** Answers visitors, or suggests what to answer them, where their channel says so. */
@Injectable()
export class ChatReplying implements EventConsumer, JobHandler, OnModuleInit {
  readonly name = 'ai-chats';
  readonly kind = CHAT_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 4;
  readonly leaseMs = 60_000;

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly replies: ChatReplies,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const said = events.filter(({ type }) => type === 'channel_thread.message_added');
    if (said.length === 0) return;
    const told = said.map(({ workspace_id, id }) => ({ workspace_id, id }));
    await this.database.run([{ text: REPLY, values: [JSON.stringify(told)] }]);
  }

  /** All of it in the unit of work that ends the job: once, however often a process dies. */
  perform({ subject_id: threadId }: Job): Promise<JobOutcome> {
    return Promise.resolve({ settle: () => this.replies.next(threadId) });
  }
}
