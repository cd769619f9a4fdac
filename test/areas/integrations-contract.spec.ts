import { CreateIntegration, UpdateIntegration } from '../../src/areas/integrations/integration.dto';
import { integrationResource } from '../../src/areas/integrations/integration.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: integrationResource,
  path: () => '/integrations',
  bodies: { create: CreateIntegration, update: UpdateIntegration },
  create: (serial) => ({
    provider: serial % 3 ? 'webhook' : 'slack',
    name: `Receiver ${serial}`,
    status: serial % 4 ? 'active' : 'disabled',
    config:
      serial % 3
        ? { url: `https://hooks.example.com/${serial}`, secret: `s3cret-of-24-characters-${serial}` }
        : { webhook_url: `https://hooks.slack.example.com/services/T0/B0/${serial}` },
    events: serial % 2 ? ['ticket.*'] : ['ticket.created', 'sla.breach'],
  }),
  update: (serial) => ({ name: `Renamed ${serial}`, status: 'disabled', events: ['*'] }),
  required: ['provider'],
  invalid: {
    provider: ['', 7, 'carrier_pigeon', 'jira'],
    name: ['', 7, 'x'.repeat(121)],
    status: ['', 'on', 'error', 'pending_auth', 7],
    config: [7, [], 'x', { pigeon: 1 }],
    events: ['ticket.created', ['ticket.eaten'], [7], [''], ['ticket.created', 'ticket.created']],
  },
  events: { created: 'integration.installed', updated: 'integration.updated', deleted: 'integration.removed' },
});
