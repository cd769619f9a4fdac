import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { ChatReplies } from './chat-replies';
import { TicketReplies } from './ticket-replies';

/** Kinds of the jobs that answer: in a ticket, which is their subject, by itself or because a rule says so, and in a chat, whose subject is the conversation of the channel. */
const TICKET_JOB = 'ai_reply';
export const RULE_JOB = 'ai_reply_ruled';
const CHAT_JOB = 'ai_chat';

/** A model elsewhere has ten seconds, unless a workspace gives it a minute. */
const LEASE_MS = 120_000;

const TOLD = 'json_to_recordset($1::json) AS v(workspace_id bigint, id bigint)';

/** SQL: a ticket of a web chat, which says itself whether the engine answers in it. */
const ofVisitor = (
  t: string,
): string => `EXISTS (SELECT FROM channel_threads h JOIN channels c ON c.workspace_id = h.workspace_id AND c.id = h.channel_id
    WHERE h.workspace_id = ${t}.workspace_id AND h.ticket_id = ${t}.id AND c.type = 'webchat')`;

/** Which events are followed by which jobs: SQL of `$1`, the events. */
const JOBS = [
  {
    // New tickets on channels that the engine answers on, and comments in tickets that it answers in.
    types: ['ticket.created', 'ticket.comment_added'],
    text: `${INSERT_JOBS}
      SELECT DISTINCT e.workspace_id, '${TICKET_JOB}', e.object_id, e.object_id
      FROM ${TOLD} JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id
      JOIN ai_settings s ON s.workspace_id = e.workspace_id AND s.enabled
      JOIN tickets t ON t.workspace_id = e.workspace_id AND t.id = e.object_id AND t.requester_email IS NOT NULL AND t.channel = ANY(s.channels)
      WHERE e.type = 'ticket.created' AND s.mode = 'auto_reply' AND NOT ${ofVisitor('t')} OR s.mode <> 'off' AND EXISTS (SELECT FROM ai_conversations c
        WHERE c.workspace_id = e.workspace_id AND c.ticket_id = e.object_id AND c.last_comment_id IS NOT NULL AND c.status <> 'handed_over')`,
  },
  {
    // What visitors said where the channel wants the engine.
    types: ['channel_thread.message_added'],
    text: `${INSERT_JOBS}
      SELECT DISTINCT e.workspace_id, '${CHAT_JOB}', e.object_id, e.object_id
      FROM ${TOLD} JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id
      JOIN channel_threads h ON h.workspace_id = e.workspace_id AND h.id = e.object_id
      JOIN channels c ON c.workspace_id = h.workspace_id AND c.id = h.channel_id AND c.type = 'webchat' AND c.config ->> 'ai' IN ('suggest', 'auto')
      WHERE e.related #>> '{message,direction}' = 'inbound'`,
  },
];

/** Answers by itself in tickets (`mode: auto_reply`), and in chats, or suggests what to answer, where their channel says so. */
@Injectable()
export class Replying implements EventConsumer, OnModuleInit {
  readonly name = 'ai-replies';

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly tickets: TicketReplies,
    private readonly chats: ChatReplies,
  ) {}

  /** All of an answer is in the unit of work that ends the job: once, however often a process dies. */
  onModuleInit(): void {
    const usual = { perGroup: 1, leaseMs: LEASE_MS };
    for (const [kind, by] of [
      [TICKET_JOB, 'ticket'],
      [RULE_JOB, 'rule'],
    ] as const)
      this.queue.register({
        ...{ ...usual, kind, perWorkspace: 2 },
        perform: async ({ subject_id: id }) => {
          const ahead = await this.tickets.ahead(id, by);
          const settle = async (): Promise<void> => {
            await this.tickets.next(id, ahead, by);
          };
          return { settle };
        },
      });
    this.queue.register({
      ...{ ...usual, kind: CHAT_JOB, perWorkspace: 4 },
      perform: async ({ subject_id: id }) => {
        const ahead = await this.chats.ahead(id);
        return { settle: () => this.chats.next(id, ahead) };
      },
    });
  }

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const statements = JOBS.flatMap(({ types, text }) => {
      const told = events
        .filter(({ type }) => types.includes(type))
        .map(({ workspace_id, id }) => ({ workspace_id, id }));
      return told.length === 0 ? [] : [{ text, values: [JSON.stringify(told)] }];
    });
    if (statements.length > 0) await this.database.later(statements);
  }
}
