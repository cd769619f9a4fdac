import { defineResource } from '../../../platform/resource/resource';
import { KbArticleVersion } from './version.entity';

export const kbArticleVersionResource = defineResource(KbArticleVersion, {
  name: 'kb_article_versions',
  singular: 'kb_article_version',
  table: 'kb_article_versions',
  sort: { number: { column: 'number', type: 'integer' } },
  defaultSort: '-number',
  filter: ['number', 'editor_id', 'status'],
  log: true,
});
