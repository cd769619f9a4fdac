import { seenCount } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { seenCategories, seesAllCategories } from '../articles/article-visibility';
import { KbCategory } from './kb-category.entity';

export const kbCategoryResource = defineResource(KbCategory, {
  name: 'kb_categories',
  singular: 'kb_category',
  called: { one: 'KB category', many: 'KB categories' },
  table: 'kb_categories',
  sort: { position: { column: 'position', type: 'integer' }, name: { column: 'name', type: 'text' } },
  defaultSort: 'position',
  filter: ['parent_id', 'visibility', 'language', 'slug'],
  search: { view: 'kb_categories_search', over: ['name', 'description', 'texts of custom_fields'] },
  counters: [],
  sight: {
    rows: seenCategories,
    past: seesAllCategories,
    columns: {
      article_count: (sight, category) =>
        seenCount('kb_articles', sight, category, (n) => `${n}.category_id = ${category}.id`),
    },
  },
  expand: {
    parent: { one: 'kb_categories', by: 'parent_id' },
    children: { many: 'kb_categories', by: 'parent_id', limit: 100, order: 'created_at' },
    articles: { many: 'kb_articles', by: 'category_id', limit: 50, order: 'created_at' },
  },
  notice: { path: '/kb/categories', title: ['name'] },
});
