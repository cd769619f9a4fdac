import type { INestApplicationContext } from '@nestjs/common';
import { CommentsService } from '../../areas/tickets/comments.service';
import { FollowersService } from '../../areas/tickets/followers/followers.service';
import { LinksService } from '../../areas/tickets/relations/links.service';
import { TicketsService } from '../../areas/tickets/tickets.service';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';

/** By their numbers: the examples of the OpenAPI document name these. The last one is being worked on. */
const CHOSEN = `SELECT id FROM tickets WHERE workspace_id = $1 AND number IN (3, 4, 5, 196) ORDER BY number`;

/** Lets tickets have to do with each other and with people: links, followers, a note that names somebody, an escalation. */
export async function addRelations(app: INestApplicationContext, agents: readonly number[]): Promise<void> {
  const chosen = await app.get(Database).query<{ id: number }>(CHOSEN, [currentWorkspaceId()]);
  const [first, second, third, open] = chosen.map(({ id }) => id);
  const [agent, other] = agents;
  if (!first || !second || !third || !open || !agent || !other) return;
  const links = app.get(LinksService);
  await links.link(first, { type: 'relates', linked_ticket_id: second });
  await links.link(third, { type: 'duplicates', linked_ticket_id: first });
  await app.get(FollowersService).follow(first, { user_id: agent });
  const body = `@[${other}], is this the same as the other one? The log says:\n\n\`\`\`\npaper jam @ tray 2\n\`\`\``;
  await app.get(CommentsService).add(open, { body, is_internal: true });
  await app.get(TicketsService).escalate(open, { reason: 'The whole floor waits' }, null);
}
