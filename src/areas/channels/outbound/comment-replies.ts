import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { REPLY_JOB } from './comment-reply-job';

/** Public comments on tickets of conversations go out there, whoever wrote them where. */
@Injectable()
export class CommentReplies implements EventConsumer {
  readonly name = 'channels';

  constructor(private readonly database: Database) {}

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const comments = events.filter(({ type }) => type === 'ticket.comment_added');
    if (comments.length === 0) return;
    const values = [JSON.stringify(comments.map(({ workspace_id, id }) => ({ workspace_id, id })))];
    await this.database.later([{ text: JOBS_OF_COMMENTS, values }]);
  }
}

/** What a channel itself wrote on the ticket has a message by then, which was written with it. */
const JOBS_OF_COMMENTS = `
  ${INSERT_JOBS}
  SELECT e.workspace_id, '${REPLY_JOB}', (e.related #>> '{comment,id}')::bigint, e.object_id
  FROM json_to_recordset($1::json) AS v(workspace_id bigint, id bigint)
  JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id
  WHERE e.related #>> '{comment,is_internal}' = 'false' AND e.related #>> '{comment,author_type}' <> 'requester'
    AND EXISTS (SELECT FROM channel_threads h WHERE h.workspace_id = e.workspace_id AND (h.ticket_id = e.object_id
      OR h.ticket_id IN (SELECT t.id FROM tickets t WHERE t.workspace_id = e.workspace_id AND t.merged_into_id = e.object_id)))
    AND NOT EXISTS (SELECT FROM channel_messages m
      WHERE m.workspace_id = e.workspace_id AND m.comment_id = (e.related #>> '{comment,id}')::bigint)
  ORDER BY e.id`;
