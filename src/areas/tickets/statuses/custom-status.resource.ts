import { defineResource } from '../../../platform/resource/resource';
import { CustomStatus } from './custom-status.entity';

export const customStatusResource = defineResource(CustomStatus, {
  name: 'ticket_statuses',
  singular: 'ticket_status',
  table: 'ticket_statuses',
  sort: { position: { column: 'position', type: 'integer' }, name: { column: 'name', type: 'text' } },
  defaultSort: 'position',
  filter: ['status', 'is_default', 'is_active'],
  search: { view: 'ticket_statuses_search', over: ['name', 'description'] },
});
