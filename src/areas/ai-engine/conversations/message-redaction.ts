import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { EventRedaction, type Redacted, type Redactor } from '../../../platform/events/event-redaction';
import { MAX_MESSAGE } from './conversation-values';

/** In place of what somebody said: a message is never empty. */
const REDACTED = '[redacted]';
/** Between comments that were heard as one message. */
const BETWEEN = '\n\n';

/** What was taken out of comments goes from the conversation that the engine leads in their ticket: people read it, and models are sent it. */
@Injectable()
export class MessageRedaction implements Redactor, OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly redaction: EventRedaction,
  ) {}

  onModuleInit(): void {
    this.redaction.register(this);
  }

  async redact({ member, objectId, texts }: Redacted): Promise<void> {
    if (member !== 'comment' || texts.length === 0) return;
    const messages = await this.database.query<{ id: number; body: string }>(HEARD, [currentWorkspaceId(), objectId]);
    const ids = messages.filter(({ body }) => texts.some((text) => repeats(body, text))).map(({ id }) => id);
    if (ids.length === 0) return;
    const values = [currentWorkspaceId(), ids, REDACTED];
    await this.database.run([
      { text: 'UPDATE ai_messages SET body = $3 WHERE workspace_id = $1 AND id = ANY($2::bigint[])', values },
    ]);
  }
}

/** Of the ticket that is forgotten in; whoever goes on with its conversation meanwhile has read what is left. */
const HEARD = `
  SELECT m.id, m.body FROM ai_conversations c JOIN ai_messages m ON m.workspace_id = c.workspace_id AND m.conversation_id = c.id
  WHERE c.workspace_id = $1 AND c.ticket_id = $2 AND m.role IN ('user', 'agent') ORDER BY m.id FOR UPDATE OF m`;

/** Whether a message repeats a comment, or as much of it as a message takes: by itself, or among others. */
export function repeats(message: string, comment: string): boolean {
  const said = BETWEEN + message;
  const sought = BETWEEN + comment;
  if ((said + BETWEEN).includes(sought + BETWEEN)) return true;
  if (message.length < MAX_MESSAGE) return false;
  for (let at = said.indexOf(BETWEEN); at !== -1; at = said.indexOf(BETWEEN, at + 1))
    if (sought.startsWith(said.slice(at))) return true;
  return false;
}
