import { columnFilter } from '../../platform/query/filters';
import { defineResource } from '../../platform/resource/resource';
import { Automation } from './automation.entity';

export const automationResource = defineResource(Automation, {
  name: 'automations',
  singular: 'automation',
  table: 'automations',
  sort: { position: { column: 'position', type: 'integer' }, name: { column: 'name', type: 'text' } },
  defaultSort: 'position',
  filter: ['is_active'],
  where: {
    event: columnFilter({
      name: 'trigger_event',
      kind: 'string',
      nullable: false,
      required: false,
      default: null,
      readOnly: true,
    }),
  },
  search: { view: 'automations_search', over: ['name', 'description', 'texts of custom_fields'] },
  notice: { path: '/automations', title: ['name'] },
});
