import { CreateWebhooks1763700100000 } from '../../../migrations/1763700100000-create-webhooks';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { deliveryResource } from './delivery.resource';
import { EventFanOut } from './event-fan-out';
import { PING } from './webhook-ping';
import { webhookResource } from './webhook.resource';
import { WebhooksModule } from './webhooks.module';
import { webhooksPersonal } from './webhooks.personal';

/** Signed deliveries of events to addresses of the clients. */
export const webhooksArea = defineArea({
  name: 'webhooks',
  module: WebhooksModule,
  resources: [webhookResource, deliveryResource],
  migrations: [CreateWebhooks1763700100000],
  permissions: usualPermissions('webhooks', 'webhooks and their deliveries', {
    read: 'admin',
    create: 'admin',
    update: 'admin',
    delete: 'admin',
  }),
  personal: webhooksPersonal,
  events: {
    domain: 'system',
    label: 'System',
    onRequest: [PING],
    events: {
      [PING]: 'A test delivery, sent on request only.',
      'webhook.created': 'A webhook was created.',
      'webhook.updated': 'A webhook was changed; `changes` names the fields.',
      'webhook.deleted': 'A webhook was deleted.',
      'webhook.deactivated': 'A webhook was deactivated because its deliveries failed.',
    },
    beside: {
      'webhook.deactivated': {
        delivery: {
          id: 17,
          event_id: 'evt_01976f7e1d1c7d3c8a1b2c3d4e5f6071',
          event: 'ticket.created',
          response_status: 410,
          error: null,
        },
      },
    },
  },
  consumers: [EventFanOut],
  tags: [{ name: 'Webhooks', place: 110, description: 'Signed deliveries of events to addresses of your own.' }],
});
