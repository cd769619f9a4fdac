import { CreateWebhook, UpdateWebhook } from '../../src/areas/webhooks/webhook.dto';
import { webhookResource } from '../../src/areas/webhooks/webhook.resource';
import { describeResource } from '../support/describe-resource';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

describeResource({
  resource: webhookResource,
  path: () => '/webhooks',
  bodies: { create: CreateWebhook, update: UpdateWebhook },
  create: (serial) => ({
    url: `https://example.com/hooks/${serial}`,
    description: serial % 2 ? `Receiver ${serial}` : null,
    events: serial % 3 ? ['ticket.created', 'company.*'] : ['sla.breach'],
    // Only so many may be active.
    is_active: serial % 16 === 0,
    filter:
      serial % 4
        ? null
        : { conditions: { all: [{ field: 'ticket.priority', operator: 'in', value: ['high', 'urgent'] }] } },
    secret,
  }),
  update: (serial) => ({
    url: `https://hooks.example.com:8443/${serial}?token=x`,
    description: 'Changed',
    events: ['*'],
    is_active: false,
    filter: { conditions: { any: [{ field: 'actor.type', operator: 'eq', value: 'user' }] } },
  }),
  required: ['url', 'events'],
  invalid: {
    url: [
      '',
      7,
      'x'.repeat(2_049),
      'example.com',
      'ftp://example.com/',
      'https://user:pass@example.com/',
      'https://example.com/#part',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/',
    ],
    events: [[], 'ticket.created', ['ticket'], ['ticket.exploded'], ['*.created'], [7], ['*', '*'], null],
    is_active: ['yes', 1, null],
    filter: [
      7,
      [],
      {},
      { conditions: {}, more: 1 },
      { conditions: { all: [{ field: 'ticket.nothing', operator: 'eq', value: 1 }] } },
      { conditions: { all: [{ field: 'ticket.priority', operator: 'eq', value: 'huge' }] } },
    ],
    headers: [
      7,
      null,
      { Host: 'x' },
      { 'Content-Length': '1' },
      { 'Transfer-Encoding': 'chunked' },
      { 'X-Service-Signature': 'x' },
      { 'webhook-id': 'x' },
      { 'X-A': 'a\r\nX-B: b' },
      { 'X-A': 'ä' },
      { 'X A': 'a' },
      { 'X-A': 7 },
      { 'X-A': 'a', 'x-a': 'b' },
      { 'X-A': 'x'.repeat(1_025) },
      Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-${index}`, 'a'])),
    ],
  },
  filters: () => ({
    event: { text: 'company.updated', test: ({ events }) => (events as string[]).includes('company.*') },
  }),
});
