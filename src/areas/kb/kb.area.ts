import { CreateKb1763800100000 } from '../../../migrations/1763800100000-create-kb';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf, wholeRecord } from '../../platform/events/event-domain';
import { articleGroup } from './article-group';
import { kbArticleResource } from './articles/article.resource';
import { kbCategoryResource } from './categories/kb-category.resource';
import { kbFeedbackResource } from './feedback/feedback.resource';
import { KbModule } from './kb.module';
import { kbArticleVersionResource } from './versions/version.resource';
import { kbPersonal } from './kb.personal';

/** The knowledge base: articles with versions, languages, categories and feedback. */
export const kbArea = defineArea({
  name: 'kb',
  module: KbModule,
  resources: [kbArticleResource, kbArticleVersionResource, kbFeedbackResource, kbCategoryResource],
  migrations: [CreateKb1763800100000],
  permissions: [
    ...usualPermissions('kb', 'articles and their categories', {
      read: 'light_agent',
      create: 'agent',
      update: 'agent',
      delete: 'supervisor',
    }),
    { name: 'kb.internal', description: 'See internal articles and categories.', from: 'light_agent' },
    { name: 'kb.drafts', description: 'See articles that are not published, and every version.', from: 'agent' },
    { name: 'kb.feedback', description: 'Say whether an article helped, and count its views.', from: 'light_agent' },
  ],
  personal: kbPersonal,
  events: {
    domain: 'kb',
    label: 'Knowledge base',
    events: {
      ...changesOf('kb_article', 'An article'),
      'kb_article.published': 'An article was published, or a new version of it.',
      'kb_article.archived': 'An article was archived.',
      'kb_article.feedback_received': 'A reader said whether an article helped.',
      ...changesOf('kb_category', 'A category of the knowledge base'),
    },
    beside: { 'kb_article.feedback_received': { feedback: wholeRecord('kb_article_feedback') } },
  },
  search: [articleGroup],
  stats: [{ resource: kbArticleResource, place: 40, example: 35 }],
  tags: [
    {
      name: 'Knowledge base',
      place: 140,
      description: 'Articles that answer questions before they are asked: versions, languages, feedback.',
    },
  ],
  examples: {
    'kb.categories.delete': { id: 4 },
  },
});
