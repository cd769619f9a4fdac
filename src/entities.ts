import { AssetHistoryEntry } from './areas/assets/history/asset-history.entity';
import { Asset } from './areas/assets/asset.entity';
import { AuditLog } from './areas/audit/audit-log.entity';
import { Automation } from './areas/automations/automation.entity';
import { AutomationRun } from './areas/automations/engine/automation-run.entity';
import { Category } from './areas/categories/category.entity';
import { Company } from './areas/companies/company.entity';
import { Contact } from './areas/contacts/contact.entity';
import { Deal } from './areas/crm/deals/deal.entity';
import { DealStageChange } from './areas/crm/deals/stage-change.entity';
import { Lead } from './areas/crm/leads/lead.entity';
import { Pipeline } from './areas/crm/pipelines/pipeline.entity';
import { Stage } from './areas/crm/stages/stage.entity';
import { EventRecord } from './areas/events/event.entity';
import { IntegrationLog } from './areas/integrations/integration-log.entity';
import { Integration } from './areas/integrations/integration.entity';
import { KbArticle } from './areas/kb/articles/article.entity';
import { KbCategory } from './areas/kb/categories/kb-category.entity';
import { KbArticleFeedback } from './areas/kb/feedback/feedback.entity';
import { KbArticleVersion } from './areas/kb/versions/version.entity';
import { QuoteItem } from './areas/quotes/items/quote-item.entity';
import { QuoteEvent } from './areas/quotes/log/quote-event.entity';
import { Quote } from './areas/quotes/quote.entity';
import { Meeting } from './areas/meetings/meeting.entity';
import { MeetingType } from './areas/meetings/types/meeting-type.entity';
import { SlaPolicy } from './areas/sla/sla-policy.entity';
import { Team } from './areas/teams/team.entity';
import { TicketComment } from './areas/tickets/comment.entity';
import { TicketHistoryEntry } from './areas/tickets/history.entity';
import { TicketRating } from './areas/tickets/rating/rating.entity';
import { Ticket } from './areas/tickets/ticket.entity';
import { User } from './areas/users/user.entity';
import { WebhookDelivery } from './areas/webhooks/delivery.entity';
import { Webhook } from './areas/webhooks/webhook.entity';
import { accountEntities } from './platform/auth/account-entities';
import type { EntityClass } from './platform/database/data-source';

/** Table of contents of the data model, one entity per line; `migrations/` holds the tables. */
// prettier-ignore
export const entities: readonly EntityClass[] = [
  ...accountEntities,
  EventRecord,
  Asset,
  AssetHistoryEntry,
  AuditLog,
  Automation,
  AutomationRun,
  SlaPolicy,
  Team,
  Ticket,
  TicketComment,
  TicketHistoryEntry,
  TicketRating,
  Company,
  Contact,
  Lead,
  Deal,
  DealStageChange,
  Pipeline,
  Stage,
  Category,
  KbArticle,
  KbArticleVersion,
  KbArticleFeedback,
  KbCategory,
  User,
  Webhook,
  WebhookDelivery,
  Integration,
  IntegrationLog,
  Quote,
  QuoteItem,
  QuoteEvent,
  Meeting,
  MeetingType,
];
