import { seenThrough } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { KbArticleVersion } from './version.entity';

export const kbArticleVersionResource = defineResource(KbArticleVersion, {
  name: 'kb_article_versions',
  singular: 'kb_article_version',
  called: { one: 'KB article version', many: 'KB article versions' },
  table: 'kb_article_versions',
  sort: { number: { column: 'number', type: 'integer' } },
  defaultSort: '-number',
  filter: ['number', 'editor_id', 'status'],
  log: true,
  sight: {
    rows: (sight, version) => {
      const article = seenThrough('kb_articles', 'article_id')(sight, version);
      const wasSeen = sight.allows('kb.drafts') ? null : `${version}.published_at IS NOT NULL`;
      return [article, wasSeen].filter((part) => part !== null).join(' AND ') || null;
    },
  },
});
