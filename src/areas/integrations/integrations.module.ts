import { Module } from '@nestjs/common';
import { WorkspaceRepositoryModule } from '../../platform/database/workspace-repository.module';
import { StoreModule } from '../../platform/resource/store.module';
import { integrationLogResource } from './integration-log.resource';
import { AttachmentsModule } from '../attachments/attachments.module';
import { ContactsModule } from '../contacts/contacts.module';
import { TicketsModule } from '../tickets/tickets.module';
import { IntegrationConsumer } from './delivery-consumer';
import { Integration } from './integration.entity';
import { MessageDeliverer } from './message-deliverer';
import { IntegrationLogsService } from './integration-logs.service';
import { integrationResource } from './integration.resource';
import { IntegrationStates } from './integration-states.service';
import { IntegrationTests } from './integration-tests.service';
import { IntegrationsController } from './integrations.controller';
import { IntegrationsService } from './integrations.service';
import { IntegrationMailAccounts } from './mail-accounts.provider';
import { ImapClient } from './mail-in/imap-client';
import { Bounces } from './mail-in/bounces';
import { KeptFiles } from './mail-in/kept-files';
import { Mailboxes } from './mail-in/mailboxes';
import { MailIntake } from './mail-in/mail-intake';
import { MailPoll } from './mail-in/mail-poll';
import { HtmlTexts } from './mail-in/html-texts';
import { MailPlaces } from './mail-in/mail-places';
import { MailThread } from './mail-in/mail-thread';
import { MailReply } from './mail-reply';
import { ProvidersController } from './providers.controller';
import { ProvidersService } from './providers.service';
import { TicketLetters } from './ticket-letters';
import { Senders } from './senders';

/** `/integrations/providers` comes before `/integrations/:id`. */
@Module({
  imports: [
    StoreModule.forFeature(integrationResource, integrationLogResource),
    WorkspaceRepositoryModule.forFeature([Integration]),
    TicketsModule,
    ContactsModule,
    AttachmentsModule,
  ],
  controllers: [ProvidersController, IntegrationsController],
  providers: [
    ProvidersService,
    IntegrationsService,
    IntegrationLogsService,
    IntegrationStates,
    IntegrationTests,
    Senders,
    IntegrationConsumer,
    MessageDeliverer,
    IntegrationMailAccounts,
    ImapClient,
    HtmlTexts,
    MailPlaces,
    MailThread,
    KeptFiles,
    Bounces,
    Mailboxes,
    MailIntake,
    MailPoll,
    MailReply,
    TicketLetters,
  ],
  exports: [Mailboxes],
})
export class IntegrationsModule {}
