import { nullableMomentFilter, overlapFilter, presenceFilter, throughView } from '../../../platform/query/filters';
import { defineResource } from '../../../platform/resource/resource';
import { foundArticles } from '../article-fields-search';
import { liveVersionRelation } from '../versions/live-version';
import { KbArticle } from './article.entity';
import { forCompanyFilter, seenArticles, seesAllArticles, visibleToFilter } from './article-visibility';

const view = 'kb_articles_search';
const tagList = (alias: string): string => `string_to_array(${alias}.tags, ',')`;

export const kbArticleResource = defineResource(KbArticle, {
  name: 'kb_articles',
  singular: 'kb_article',
  called: { one: 'KB article', many: 'KB articles' },
  table: 'kb_articles',
  sort: {
    title: { column: 'title', type: 'text' },
    published_at: { column: 'published_at', type: 'timestamptz', nullable: true },
    review_due_at: { column: 'review_due_at', type: 'timestamptz', nullable: true },
    view_count: { column: 'view_count', type: 'integer' },
    helpful_count: { column: 'helpful_count', type: 'integer' },
    position: { column: 'position', type: 'integer' },
  },
  filter: [
    'status',
    'visibility',
    'category_id',
    'author_id',
    'language',
    'slug',
    'publish_mode',
    'translation_of_id',
    'source_ticket_id',
    'is_pinned',
    'ai_enabled',
  ],
  where: {
    tags: throughView(view, overlapFilter(tagList, 'any')),
    tags_all: throughView(view, overlapFilter(tagList, 'all')),
    company_ids: throughView(
      view,
      overlapFilter((alias) => `${alias}.company_ids`, 'any', 'bigint'),
    ),
    for_company: forCompanyFilter,
    visible_to: visibleToFilter,
    is_live: presenceFilter('live_version'),
    published_after: nullableMomentFilter('published_at', '>'),
    published_before: nullableMomentFilter('published_at', '<'),
    review_due_after: nullableMomentFilter('review_due_at', '>'),
    review_due_before: nullableMomentFilter('review_due_at', '<'),
  },
  search: {
    view,
    over: ['title', 'body', 'keywords', 'tags', 'texts of custom_fields'],
    ranked: 'Inflected forms, missing accents and small mistakes are forgiven; the best matches come first.',
    found: foundArticles,
  },
  counters: ['status', 'visibility', 'category_id'],
  sight: { rows: seenArticles, past: seesAllArticles },
  expand: {
    category: { one: 'kb_categories', by: 'category_id' },
    author: { one: 'users', by: 'author_id' },
    translation_of: { one: 'kb_articles', by: 'translation_of_id' },
    translations: { many: 'kb_articles', by: 'translation_of_id', limit: 50, order: 'created_at' },
    live: liveVersionRelation,
    attachments: { many: 'attachments', by: 'article_id', limit: 100, order: 'created_at' },
  },
  notice: { path: '/kb/articles', title: ['title'] },
  fields: 'kb_articles_fields',
});
