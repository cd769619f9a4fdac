import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { TicketReplies } from './ticket-replies';

/** Kind of the job that answers in a ticket; its subject is the ticket. */
const REPLY_JOB = 'ai_reply';

/** SQL: a ticket of a web chat, which says itself whether the engine answers in it. */
const ofVisitor = (
  t: string,
): string => `EXISTS (SELECT FROM channel_threads h JOIN channels c ON c.workspace_id = h.workspace_id AND c.id = h.channel_id
    WHERE h.workspace_id = ${t}.workspace_id AND h.ticket_id = ${t}.id AND c.type = 'webchat')`;

/** Jobs for new tickets on channels that the engine answers on, and for comments in tickets that it answers in. */
const REPLY = `${INSERT_JOBS}
  SELECT DISTINCT v.workspace_id, '${REPLY_JOB}', v.ticket_id, v.ticket_id
  FROM json_to_recordset($1::json) AS v(workspace_id bigint, ticket_id bigint, is_new boolean)
  JOIN ai_settings s ON s.workspace_id = v.workspace_id AND s.enabled
  JOIN tickets t ON t.workspace_id = v.workspace_id AND t.id = v.ticket_id AND t.requester_email IS NOT NULL AND t.channel = ANY(s.channels)
  WHERE v.is_new AND s.mode = 'auto_reply' AND NOT ${ofVisitor('t')} OR s.mode <> 'off' AND EXISTS (SELECT FROM ai_conversations c WHERE c.workspace_id = v.workspace_id AND c.ticket_id = v.ticket_id
    AND c.last_comment_id IS NOT NULL AND c.status <> 'handed_over')`;

/** Answers tickets by itself where the workspace wants it (`mode: auto_reply`). */
@Injectable()
export class TicketReplying implements EventConsumer, JobHandler, OnModuleInit {
  readonly name = 'ai-replies';
  readonly kind = REPLY_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 2;
  readonly leaseMs = 60_000;

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly replies: TicketReplies,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const about = events.filter(({ type }) => type === 'ticket.created' || type === 'ticket.comment_added');
    if (about.length === 0) return;
    const tickets = about.map(({ workspace_id, object_id, type }) => ({
      ...{ workspace_id, ticket_id: object_id, is_new: type === 'ticket.created' },
    }));
    await this.database.run([{ text: REPLY, values: [JSON.stringify(tickets)] }]);
  }

  /** All of it in the unit of work that ends the job: once, however often a process dies. */
  perform({ subject_id: ticketId }: Job): Promise<JobOutcome> {
    return Promise.resolve({ settle: () => this.replies.next(ticketId) });
  }
}
