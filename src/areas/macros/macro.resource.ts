import { overlapFilter } from '../../platform/query/filters';
import { defineResource } from '../../platform/resource/resource';
import { sharedSight } from '../users/sharing';
import { Macro } from './macro.entity';

export const macroResource = defineResource(Macro, {
  name: 'macros',
  singular: 'macro',
  table: 'macros',
  sort: {
    position: { column: 'position', type: 'integer' },
    name: { column: 'name', type: 'text' },
    use_count: { column: 'use_count', type: 'bigint' },
  },
  defaultSort: 'position',
  filter: ['is_active', 'sharing', 'owner_id'],
  where: { team_id: overlapFilter((alias) => `${alias}.team_ids`, 'any', 'bigint') },
  search: { view: 'macros_search', over: ['name', 'description', 'texts of custom_fields'] },
  sight: sharedSight,
  expand: { owner: { one: 'users', by: 'owner_id' } },
  notice: { path: '/macros', title: ['name'] },
});
