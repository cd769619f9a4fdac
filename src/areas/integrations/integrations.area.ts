import { CreateIntegrations1763700400000 } from '../../../migrations/1763700400000-create-integrations';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { IntegrationConsumer } from './delivery-consumer';
import { integrationLogResource } from './integration-log.resource';
import { integrationResource } from './integration.resource';
import { IntegrationsModule } from './integrations.module';
import { TicketLetters } from './ticket-letters';
import { receivedMail, replyMail, resolvedMail } from './ticket-mails';
import { ownProviders } from './provider-table';
import { integrationsPersonal } from './integrations.personal';

/** Chat, mail and other services that hear of events or bring tickets in. */
export const integrationsArea = defineArea({
  name: 'integrations',
  module: IntegrationsModule,
  resources: [integrationResource, integrationLogResource],
  migrations: [CreateIntegrations1763700400000],
  permissions: usualPermissions('integrations', 'integrations and their logs', {
    read: 'admin',
    create: 'admin',
    update: 'admin',
    delete: 'admin',
  }),
  personal: integrationsPersonal,
  events: {
    domain: 'integration',
    label: 'Integrations',
    events: {
      'integration.installed': 'An integration was installed.',
      'integration.updated': 'An integration was changed; `changes` names the fields.',
      'integration.removed': 'An integration was removed.',
      'integration.error': 'An integration stopped working.',
    },
    beside: { 'integration.error': { error: { code: 'http_401', message: 'The service answered 401.' } } },
  },
  providers: ownProviders,
  mails: [receivedMail, replyMail, resolvedMail],
  consumers: [IntegrationConsumer, TicketLetters],
  tags: [
    {
      name: 'Integrations',
      place: 100,
      description: 'Chat, mail and other services that hear of events or bring tickets in.',
    },
  ],
});
