import type { INestApplicationContext } from '@nestjs/common';
import { ConversationsService } from '../../areas/ai-engine/conversations/conversations.service';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { ownJson } from '../../platform/text/json';

/** By its number: it is being worked on (`relations.ts`). */
const OPEN = 196;

/**
 * Conversations of a new demo workspace, through the service that requests use: one was answered, one helped, one went to a person, who
 * has a ticket about it already. What the engine says is what it found. Inside a unit of work of the workspace.
 */
export async function addDemoConversations(app: INestApplicationContext): Promise<void> {
  const conversations = app.get(ConversationsService);
  const [ticket] = await app
    .get(Database)
    .query<{ id: number }>('SELECT id FROM tickets WHERE workspace_id = $1 AND number = $2', [
      currentWorkspaceId(),
      OPEN,
    ]);
  await conversations.start({ message: 'How do I connect to the VPN from a hotel?' });
  const { json } = await conversations.start({ message: 'I forgot my password. How can it be reset?' });
  const { id, answers } = ownJson<{ id: number; answers: number }>(json);
  await conversations.say(id, { message: 'Thanks, that solved it' }, null);
  if (answers > 0) await conversations.rate(id, { score: 5 }, null);
  if (ticket) await conversations.start({ message: 'I would like to talk to a human, please.', ticket_id: ticket.id });
}
