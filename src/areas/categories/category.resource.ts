import { defineResource } from '../../platform/resource/resource';
import { Category } from './category.entity';

export const categoryResource = defineResource(Category, {
  name: 'categories',
  singular: 'category',
  table: 'categories',
  sort: { position: { column: 'position', type: 'integer' }, name: { column: 'name', type: 'text' } },
  defaultSort: 'position',
  filter: ['parent_id', 'is_active'],
  search: { view: 'categories_search', over: ['name', 'description'] },
  expand: { parent: { one: 'categories', by: 'parent_id' } },
  notice: { path: '/categories', title: ['name'] },
});
