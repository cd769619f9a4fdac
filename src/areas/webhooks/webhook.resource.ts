import { defineResource } from '../../platform/resource/resource';
import { subscribedEventFilter } from './webhook-events';
import { Webhook } from './webhook.entity';

export const webhookResource = defineResource(Webhook, {
  name: 'webhooks',
  singular: 'webhook',
  table: 'webhooks',
  sort: {},
  filter: ['status', 'is_active'],
  where: { event: subscribedEventFilter },
  notice: { path: '/webhooks' },
  search: { view: 'webhooks_search', over: ['description', 'url', 'texts of custom_fields'] },
});
