import { defineResource } from '../../../platform/resource/resource';
import { Stage } from './stage.entity';

export const stageResource = defineResource(Stage, {
  name: 'stages',
  singular: 'stage',
  table: 'stages',
  sort: {
    position: { column: 'position', type: 'integer' },
    name: { column: 'name', type: 'text' },
    probability: { column: 'probability', type: 'integer' },
  },
  defaultSort: 'position',
  filter: ['pipeline_id', 'type'],
  search: { view: 'stages_search', over: ['name', 'texts of custom_fields'] },
  expand: { pipeline: { one: 'pipelines', by: 'pipeline_id' } },
  counters: ['pipeline_id'],
  notice: { path: '/crm/stages', title: ['name'] },
});
