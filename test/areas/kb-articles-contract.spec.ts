import { CreateKbArticle, UpdateKbArticle } from '../../src/areas/kb/articles/article.dto';
import { kbArticleResource } from '../../src/areas/kb/articles/article.resource';
import type { Fields } from '../support/api';
import { describeResource } from '../support/describe-resource';

const visible: Readonly<Record<string, readonly string[]>> = { customers: ['public', 'customers'] };
const inTags =
  (name: string) =>
  (row: Fields): boolean =>
    (row.tags as string).split(',').includes(name);

describeResource({
  resource: kbArticleResource,
  path: () => '/kb/articles',
  bodies: { create: CreateKbArticle, update: UpdateKbArticle },
  prepare: async (api) => ({
    user: (await api.post('/users', { name: 'Eve', email: 'eve@example.com' })).expect(201).data.id,
    category: (await api.post('/kb/categories', { name: 'Printing' })).expect(201).data.id,
    company: (await api.post('/companies', { name: 'Acme' })).expect(201).data.id,
    ticket: (await api.post('/tickets', { subject: 'Jam' })).expect(201).data.id,
    original: (await api.post('/kb/articles', { title: 'Original', body: 'Text', language: 'nl' })).expect(201).data.id,
  }),
  create: (serial, made) => ({
    title: `Article ${serial % 5} ${serial}`,
    body: `Number ${serial} is about ${['toner', 'paper', 'drivers'][serial % 3]}`,
    status: ['draft', 'in_review', 'published', 'archived'][serial % 4],
    publish_mode: serial % 3 ? 'direct' : 'staged',
    visibility: ['public', 'customers', 'internal'][serial % 3],
    category_id: serial % 3 ? made.category : null,
    author_id: serial % 2 ? made.user : null,
    language: ['en', 'de', 'pt-BR'][serial % 3],
    tags: serial % 2 ? 'odd,number' : 'even,number',
    keywords: `word${serial % 4}`,
    company_ids: serial % 4 ? [] : [made.company],
    is_pinned: serial % 5 === 0,
    ai_enabled: serial % 4 !== 0,
    source_ticket_id: serial % 3 ? made.ticket : null,
    change_note: serial % 2 ? `Because of ${serial}` : null,
    review_due_at: serial % 2 ? `2027-01-0${(serial % 9) + 1}T00:00:00.000Z` : null,
    ...(serial % 2 ? { position: serial % 10 } : {}),
  }),
  update: (serial, made) => ({
    title: `Renamed ${serial}`,
    slug: `chosen-${serial}`,
    body: `Rewritten ${serial}`,
    excerpt: 'In short.',
    visibility: 'internal',
    category_id: null,
    author_id: made.user,
    tags: 'other',
    keywords: 'beta',
    company_ids: [made.company],
    is_pinned: true,
    position: serial,
    ai_enabled: false,
    change_note: 'Better words',
    review_due_at: '2027-05-01T08:00:00.000Z',
  }),
  required: ['title', 'body'],
  invalid: {
    title: ['', ' ', 7, 'x'.repeat(256)],
    slug: ['Not A Slug', 'a--b', '-a', 'a/b', 'x'.repeat(81), 7],
    body: ['', 7, 'x'.repeat(524_289)],
    excerpt: [7, 'x'.repeat(301)],
    status: ['open', '', 7],
    publish_mode: ['later', 7],
    visibility: ['secret', 7],
    language: ['', 'not a language', 'e', 7, 'x'.repeat(36)],
    tags: [7, ['a,b'], 'x'.repeat(51)],
    keywords: [7, { a: 1 }],
    company_ids: ['7', [0], ['x'], [1.5]],
    is_pinned: ['yes', 1],
    position: [-1, 1.5, '1', 1_000_001],
    ai_enabled: ['no', 0],
    translation_of_id: ['x', 0],
    change_note: [7, 'x'.repeat(501)],
    review_due_at: ['soon', '2027-13-01T00:00:00Z', 7],
  },
  arrange: async (sql, workspaceId) => {
    await sql.rows(
      // By their places, not their ids, between which others may take some.
      `UPDATE kb_articles a SET view_count = n % 7, helpful_count = n % 5,
         published_at = CASE WHEN published_at IS NULL THEN NULL ELSE timestamptz '2026-03-01Z' + (n % 6) * interval '1 day' END
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM kb_articles WHERE workspace_id = $1) AS placed
       WHERE a.workspace_id = $1 AND a.id = placed.id`,
      [workspaceId],
    );
    await sql.rows(
      `UPDATE kb_articles SET translation_of_id = (SELECT o.id FROM kb_articles o WHERE o.workspace_id = $1 AND o.title = 'Original')
       WHERE workspace_id = $1 AND id IN (SELECT min(id) FROM kb_articles WHERE workspace_id = $1 AND language <> 'nl' GROUP BY language)`,
      [workspaceId],
    );
  },
  filters: (_all, made) => ({
    tags: { text: 'odd,nothing', test: inTags('odd') },
    tags_all: { text: 'even,number', test: inTags('even') },
    company_ids: {
      text: String(made.company),
      test: (row) => (row.company_ids as number[]).includes(made.company ?? 0),
    },
    for_company: { text: '8999999999', test: (row) => (row.company_ids as number[]).length === 0 },
    visible_to: { text: 'customers', test: (row) => visible.customers?.includes(row.visibility as string) === true },
    is_live: { text: 'true', test: (row) => row.live_version !== null },
    published_after: {
      text: '2026-03-03T00:00:00Z',
      test: (row) => row.published_at !== null && (row.published_at as string) > '2026-03-03T00:00:00.000Z',
    },
    published_before: {
      text: '2026-03-03T00:00:00Z',
      test: (row) => row.published_at !== null && (row.published_at as string) < '2026-03-03T00:00:00.000Z',
    },
    review_due_after: {
      text: '2027-01-05',
      test: (row) => row.review_due_at !== null && (row.review_due_at as string) > '2027-01-05T00:00:00.000Z',
    },
    review_due_before: {
      text: '2027-01-05',
      test: (row) => row.review_due_at !== null && (row.review_due_at as string) < '2027-01-05T00:00:00.000Z',
    },
  }),
});
