import { defineResource } from '../../../platform/resource/resource';
import { Pipeline } from './pipeline.entity';

export const pipelineResource = defineResource(Pipeline, {
  name: 'pipelines',
  singular: 'pipeline',
  table: 'pipelines',
  sort: { position: { column: 'position', type: 'integer' }, name: { column: 'name', type: 'text' } },
  defaultSort: 'position',
  filter: ['is_default', 'is_active'],
  search: { view: 'pipelines_search', over: ['name', 'description', 'texts of custom_fields'] },
  counters: [],
  notice: { path: '/crm/pipelines', title: ['name'] },
});
