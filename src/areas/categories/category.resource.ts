import { seenCount } from '../../platform/resource/read/sight';
import { defineResource } from '../../platform/resource/resource';
import { Category } from './category.entity';

export const categoryResource = defineResource(Category, {
  name: 'categories',
  singular: 'category',
  table: 'categories',
  sort: { position: { column: 'position', type: 'integer' }, name: { column: 'name', type: 'text' } },
  defaultSort: 'position',
  filter: ['parent_id', 'is_active'],
  search: { view: 'categories_search', over: ['name', 'description', 'texts of custom_fields'] },
  expand: { parent: { one: 'categories', by: 'parent_id' } },
  sight: {
    columns: {
      ticket_count: (sight, category) =>
        seenCount('tickets', sight, category, (n) => `${n}.category_id = ${category}.id`),
    },
  },
  notice: { path: '/categories', title: ['name'] },
});
