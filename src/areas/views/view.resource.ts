import { overlapFilter } from '../../platform/query/filters';
import { defineResource } from '../../platform/resource/resource';
import { sharedSight } from '../users/sharing';
import { View } from './view.entity';

export const viewResource = defineResource(View, {
  name: 'views',
  singular: 'view',
  table: 'views',
  sort: { position: { column: 'position', type: 'integer' }, name: { column: 'name', type: 'text' } },
  defaultSort: 'position',
  filter: ['resource', 'sharing', 'owner_id'],
  where: { team_id: overlapFilter((alias) => `${alias}.team_ids`, 'any', 'bigint') },
  search: { view: 'views_search', over: ['name', 'description', 'texts of custom_fields'] },
  sight: sharedSight,
  expand: { owner: { one: 'users', by: 'owner_id' } },
  notice: { path: '/views', title: ['name'] },
});
