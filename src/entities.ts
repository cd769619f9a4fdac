import { SlaPolicy } from './areas/sla/sla-policy.entity';
import { Team } from './areas/teams/team.entity';
import { TicketComment } from './areas/tickets/comment.entity';
import { TicketHistoryEntry } from './areas/tickets/history.entity';
import { Ticket } from './areas/tickets/ticket.entity';
import { App } from './platform/auth/app.entity';
import { Developer } from './platform/auth/developer.entity';
import { Plan } from './platform/auth/plan.entity';
import { Subscription } from './platform/auth/subscription.entity';
import { Tenant } from './platform/auth/tenant.entity';
import { Token } from './platform/auth/token.entity';
import { Workspace } from './platform/auth/workspace.entity';
import type { EntityClass } from './platform/database/data-source';

/** Table of contents of the data model, one entity per line; `migrations/` holds the tables. */
// prettier-ignore
export const entities: readonly EntityClass[] = [
  Developer,
  Tenant,
  Workspace,
  App,
  Plan,
  Subscription,
  Token,
  SlaPolicy,
  Team,
  Ticket,
  TicketComment,
  TicketHistoryEntry,
];
