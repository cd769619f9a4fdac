import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AutomationsModule } from './areas/automations/automations.module';
import { CategoriesModule } from './areas/categories/categories.module';
import { CompaniesModule } from './areas/companies/companies.module';
import { ContactsModule } from './areas/contacts/contacts.module';
import { EventsModule } from './areas/events/events.module';
import { IntegrationsModule } from './areas/integrations/integrations.module';
import { MetaModule } from './areas/meta/meta.module';
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
  SlaModule,
  AutomationsModule,
  TeamsModule,
  EventsModule,
  WebhooksModule,
  IntegrationsModule,
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
