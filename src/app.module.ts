import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { activeDirectoryArea } from './areas/active-directory/active-directory.area';
import { aiEngineArea } from './areas/ai-engine/ai-engine.area';
import { assetsArea } from './areas/assets/assets.area';
import { attachmentsArea } from './areas/attachments/attachments.area';
import { auditArea } from './areas/audit/audit.area';
import { automationsArea } from './areas/automations/automations.area';
import { categoriesArea } from './areas/categories/categories.area';
import { channelsArea } from './areas/channels/channels.area';
import { companiesArea } from './areas/companies/companies.area';
import { contactsArea } from './areas/contacts/contacts.area';
import { crmArea } from './areas/crm/crm.area';
import { eventsArea } from './areas/events/events.area';
import { exportsArea } from './areas/exports/exports.area';
import { fieldsArea } from './areas/fields/fields.area';
import { integrationsArea } from './areas/integrations/integrations.area';
import { kbArea } from './areas/kb/kb.area';
import { mailTemplatesArea } from './areas/mail-templates/mail-templates.area';
import { macrosArea } from './areas/macros/macros.area';
import { meetingsArea } from './areas/meetings/meetings.area';
import { metaArea } from './areas/meta/meta.area';
import { privacyArea } from './areas/privacy/privacy.area';
import { migrationArea } from './areas/migration/migration.area';
import { quotesArea } from './areas/quotes/quotes.area';
import { reportsArea } from './areas/reports/reports.area';
import { sandboxArea } from './areas/sandbox/sandbox.area';
import { schedulesArea } from './areas/schedules/schedules.area';
import { responsesArea } from './areas/responses/responses.area';
import { searchArea } from './areas/search/search.area';
import { slaArea } from './areas/sla/sla.area';
import { teamsArea } from './areas/teams/teams.area';
import { ticketsArea } from './areas/tickets/tickets.area';
import { usersArea } from './areas/users/users.area';
import { viewsArea } from './areas/views/views.area';
import { webhooksArea } from './areas/webhooks/webhooks.area';
import { workspaceArea } from './areas/workspace/workspace.area';
import type { Area } from './platform/area/area';
import { PlatformModule, type PlatformOptions } from './platform/platform.module';

/**
 * Table of contents: the areas, in the order in which the catalogue tells their events. Everything else that the program
 * has follows from them.
 */
export const areas: readonly Area[] = [
  ticketsArea,
  slaArea,
  schedulesArea,
  companiesArea,
  contactsArea,
  privacyArea,
  usersArea,
  teamsArea,
  channelsArea,
  categoriesArea,
  automationsArea,
  macrosArea,
  responsesArea,
  mailTemplatesArea,
  viewsArea,
  fieldsArea,
  kbArea,
  assetsArea,
  attachmentsArea,
  meetingsArea,
  crmArea,
  quotesArea,
  integrationsArea,
  webhooksArea,
  searchArea,
  eventsArea,
  auditArea,
  workspaceArea,
  sandboxArea,
  reportsArea,
  aiEngineArea,
  activeDirectoryArea,
  exportsArea,
  migrationArea,
  metaArea,
];

/** The platform, then every area. */
@Module({})
export class AppModule {
  /** @param more modules beside those of the areas */
  static of(options: PlatformOptions, more: readonly Type[] = []): DynamicModule {
    const { modules } = options.areas.install();
    return { module: AppModule, imports: [PlatformModule.forRoot(options), ...modules, ...more] };
  }
}
