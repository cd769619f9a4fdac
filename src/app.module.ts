import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AssetsModule } from './areas/assets/assets.module';
import { AuditModule } from './areas/audit/audit.module';
import { AutomationsModule } from './areas/automations/automations.module';
import { CategoriesModule } from './areas/categories/categories.module';
import { CompaniesModule } from './areas/companies/companies.module';
import { ContactsModule } from './areas/contacts/contacts.module';
import { CrmModule } from './areas/crm/crm.module';
import { EventsModule } from './areas/events/events.module';
import { IntegrationsModule } from './areas/integrations/integrations.module';
import { KbModule } from './areas/kb/kb.module';
import { MeetingsModule } from './areas/meetings/meetings.module';
import { MetaModule } from './areas/meta/meta.module';
import { QuotesModule } from './areas/quotes/quotes.module';
import { SearchModule } from './areas/search/search.module';
import { SlaModule } from './areas/sla/sla.module';
import { TeamsModule } from './areas/teams/teams.module';
import { TicketsModule } from './areas/tickets/tickets.module';
import { UsersModule } from './areas/users/users.module';
import { WebhooksModule } from './areas/webhooks/webhooks.module';
import { entities } from './entities';
import { PlatformModule, type PlatformOptions } from './platform/platform.module';

/** The areas, in the order of the specification. */
const areas = [
  MetaModule,
  TicketsModule,
  CompaniesModule,
  ContactsModule,
  CategoriesModule,
  UsersModule,
  KbModule,
  SlaModule,
  AutomationsModule,
  AssetsModule,
  SearchModule,
  TeamsModule,
  EventsModule,
  WebhooksModule,
  IntegrationsModule,
  MeetingsModule,
  CrmModule,
  QuotesModule,
  AuditModule,
];

/** Table of contents: the platform, then every area, one per line. */
@Module({})
export class AppModule {
  static forRoot(options: Omit<PlatformOptions, 'entities'>, more: readonly Type[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.forRoot({ ...options, entities }), ...areas, ...more],
    };
  }
}
