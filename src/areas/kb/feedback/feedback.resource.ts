import { presenceFilter } from '../../../platform/query/filters';
import { seenThrough } from '../../../platform/resource/read/sight';
import { defineResource } from '../../../platform/resource/resource';
import { KbArticleFeedback } from './feedback.entity';

export const kbFeedbackResource = defineResource(KbArticleFeedback, {
  name: 'kb_article_feedback',
  singular: 'kb_article_feedback',
  called: { one: 'KB article feedback', many: 'KB article feedback' },
  table: 'kb_article_feedback',
  told: null,
  sort: {},
  filter: ['helpful', 'deflected', 'contact_id', 'ticket_id'],
  where: { has_comment: presenceFilter('comment') },
  counters: [],
  sight: { rows: seenThrough('kb_articles', 'article_id') },
  expand: { contact: { one: 'contacts', by: 'contact_id' }, article: { one: 'kb_articles', by: 'article_id' } },
});
