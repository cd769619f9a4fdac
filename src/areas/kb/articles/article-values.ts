export const ARTICLE_STATUSES = ['draft', 'in_review', 'published', 'archived'] as const;
export type ArticleStatus = (typeof ARTICLE_STATUSES)[number];

/** From the widest to the narrowest. */
export const VISIBILITIES = ['public', 'customers', 'internal'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const PUBLISH_MODES = ['direct', 'staged'] as const;

/** Characters of Markdown in an article. */
export const MAX_BODY = 524_288;

/** What makes a version: a change of any of them is kept. */
export const CONTENT_FIELDS = ['title', 'body', 'excerpt', 'language', 'tags', 'keywords'] as const;
