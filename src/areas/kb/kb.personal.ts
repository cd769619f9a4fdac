import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** Articles are everybody's; a person in one loses the name. */
export const kbPersonal: readonly PersonalTable[] = [
  {
    table: 'kb_categories',
    texts: [...RESOURCE_TEXTS, 'name', 'slug', 'description'],
    free: ['icon', 'visibility', 'language'],
  },
  {
    table: 'kb_articles',
    texts: [...RESOURCE_TEXTS, 'title', 'slug', 'body', 'excerpt', 'tags', 'keywords', 'change_note'],
    free: ['status', 'publish_mode', 'visibility', 'language'],
  },
  {
    table: 'kb_article_versions',
    texts: ['title', 'body', 'excerpt', 'tags', 'keywords', 'change_note', 'editor_name'],
    free: ['language', 'status', 'editor_type'],
  },
  {
    table: 'kb_article_texts',
    key: ['article_id', 'number'],
    texts: ['title_text', 'search_text', 'plain_text'],
    free: ['config'],
    derived: ['document'],
    also: ['config'],
    // Headings and keywords weigh as much as the rest until the article is next written.
    made: {
      document: `setweight(to_tsvector(v.config::regconfig, v.title_text), 'B') || setweight(to_tsvector(v.config::regconfig, left(v.search_text, 100000)), 'C')`,
    },
  },
  { table: 'kb_words', words: 'word' },
  {
    table: 'kb_article_feedback',
    own: {
      object: 'feedback',
      of: ({ contact }) => `r.contact_id = ${contact}`,
      erase: { comment: null, custom_fields: {} },
    },
    texts: [...RESOURCE_TEXTS, 'comment'],
  },
];
