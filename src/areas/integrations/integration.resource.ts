import { defineResource } from '../../platform/resource/resource';
import { Integration } from './integration.entity';

export const integrationResource = defineResource(Integration, {
  name: 'integrations',
  singular: 'integration',
  table: 'integrations',
  told: { created: 'integration.installed', updated: 'integration.updated', deleted: 'integration.removed' },
  sort: { name: { column: 'name', type: 'text' } },
  filter: ['provider', 'status'],
  search: { view: 'integrations_search', over: ['name', 'texts of custom_fields'] },
  expand: { connected_by_user: { one: 'users', by: 'connected_by' } },
  notice: { path: '/integrations', title: ['name'] },
});
