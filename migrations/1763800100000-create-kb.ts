import type { MigrationInterface, QueryRunner } from 'typeorm';
import { kbSearch } from './support/v1/kb-search';
import {
  filterIndex,
  nullableTimeSortIndexes,
  reference,
  resourceColumns,
  resourceIndexes,
  searchable,
  searchView,
  sortIndex,
  tallied,
} from './support/v1/resource-table';
import { confine, systemFunctions } from './support/v1/row-level-security';

/** The knowledge base: categories, articles with their versions, readers' feedback, and what searches look through. */
export class CreateKb1763800100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(categories);
    await runner.query(articles);
    await runner.query(versions);
    await runner.query(feedback);
    for (const table of ['kb_categories', 'kb_articles', 'kb_article_versions', 'kb_article_feedback'])
      await runner.query(confine(table));
    await runner.query(links);
    await runner.query(kbSearch.up);
    for (const table of kbSearch.tables) await runner.query(confine(table));
    await runner.query(systemFunctions([seedCategories, seedOnCreate]));
    await runner.query(`
      CREATE TRIGGER workspaces_kb_categories AFTER INSERT ON workspaces FOR EACH ROW EXECUTE FUNCTION create_kb_categories();
      SET LOCAL ROLE helpdesk_system;
      SELECT seed_kb_categories(id, locale) FROM workspaces;
      RESET ROLE;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER workspaces_kb_categories ON workspaces;
      SET LOCAL ROLE helpdesk_system;
      DROP FUNCTION create_kb_categories(), seed_kb_categories(bigint, text);
      RESET ROLE;
    `);
    await runner.query(kbSearch.down);
    await runner.query(`
      DROP VIEW kb_articles_search, kb_categories_search;
      DROP TABLE kb_article_feedback, kb_article_versions, kb_articles, kb_categories CASCADE;
      DROP FUNCTION tally_kb_articles_insert(), tally_kb_articles_delete(), tally_kb_articles_update(),
        tally_kb_categories_insert(), tally_kb_categories_delete(),
        tally_kb_article_feedback_insert(), tally_kb_article_feedback_delete();
    `);
  }
}

const VISIBILITY = `('public', 'customers', 'internal')`;
const STATUS = `('draft', 'in_review', 'published', 'archived')`;

const categories = `
  CREATE TABLE kb_categories (
    name text NOT NULL,
    slug text NOT NULL,
    slug_given boolean NOT NULL DEFAULT false,
    description text,
    parent_id bigint,
    icon text,
    position integer NOT NULL DEFAULT 1,
    visibility text NOT NULL DEFAULT 'public' CONSTRAINT ck_kb_categories_visibility CHECK (visibility IN ${VISIBILITY}),
    language text NOT NULL,
    ${resourceColumns}
  );
  ${resourceIndexes('kb_categories')}
  CREATE UNIQUE INDEX uq_kb_categories_name ON kb_categories (workspace_id, coalesce(parent_id, 0), language, lower(name));
  CREATE UNIQUE INDEX uq_kb_categories_slug ON kb_categories (workspace_id, slug, language);
  ${['parent_id', 'visibility', 'language'].map((name) => filterIndex('kb_categories', name)).join('\n')}
  ${['position', 'name'].map((name) => sortIndex('kb_categories', name)).join('\n')}
  ${searchable('kb_categories', `name || ' ' || coalesce(description, '')`)}
  ${tallied('kb_categories', 'kb_categories', [])}
`;

/**
 * `version_number` is the version that editors see, `live_version` the one that readers see. `slug_given` and
 * `excerpt_given` tell what an author chose from what the service derives.
 */
const articles = `
  CREATE TABLE kb_articles (
    title text NOT NULL,
    slug text NOT NULL,
    slug_given boolean NOT NULL DEFAULT false,
    body text NOT NULL,
    excerpt text NOT NULL,
    excerpt_given boolean NOT NULL DEFAULT false,
    status text NOT NULL DEFAULT 'draft' CONSTRAINT ck_kb_articles_status CHECK (status IN ${STATUS}),
    publish_mode text NOT NULL DEFAULT 'direct' CONSTRAINT ck_kb_articles_publish_mode CHECK (publish_mode IN ('direct', 'staged')),
    visibility text NOT NULL DEFAULT 'public' CONSTRAINT ck_kb_articles_visibility CHECK (visibility IN ${VISIBILITY}),
    category_id bigint,
    author_id bigint,
    language text NOT NULL,
    translation_of_id bigint CONSTRAINT ck_kb_articles_translation_of_id CHECK (translation_of_id <> id),
    tags text NOT NULL DEFAULT '',
    keywords text NOT NULL DEFAULT '',
    company_ids bigint[] NOT NULL DEFAULT '{}',
    is_pinned boolean NOT NULL DEFAULT false,
    position integer NOT NULL DEFAULT 1,
    ai_enabled boolean NOT NULL DEFAULT true,
    source_ticket_id bigint,
    change_note text,
    version_number integer NOT NULL DEFAULT 1,
    live_version integer,
    published_at timestamptz(3),
    archived_at timestamptz(3),
    reviewed_at timestamptz(3),
    review_due_at timestamptz(3),
    view_count integer NOT NULL DEFAULT 0,
    helpful_count integer NOT NULL DEFAULT 0,
    not_helpful_count integer NOT NULL DEFAULT 0,
    deflection_count integer NOT NULL DEFAULT 0,
    ${resourceColumns},
    CONSTRAINT ck_kb_articles_live_version CHECK (
      CASE status WHEN 'published' THEN coalesce(live_version = version_number, false) WHEN 'archived' THEN live_version IS NULL
        ELSE live_version IS NULL OR (publish_mode = 'staged' AND live_version <= version_number) END)
  );
  ${resourceIndexes('kb_articles')}
  CREATE UNIQUE INDEX uq_kb_articles_slug ON kb_articles (workspace_id, slug, language);
  CREATE UNIQUE INDEX uq_kb_articles_translation_of_id ON kb_articles (workspace_id, translation_of_id, language) WHERE translation_of_id IS NOT NULL;
  ${['status', 'visibility', 'category_id', 'author_id', 'language', 'publish_mode', 'is_pinned', 'ai_enabled'].map((name) => filterIndex('kb_articles', name)).join('\n')}
  ${['translation_of_id', 'source_ticket_id'].map((name) => filterIndex('kb_articles', name, { partial: true })).join('\n')}
  CREATE INDEX kb_articles_live ON kb_articles (workspace_id, created_at, id) WHERE live_version IS NOT NULL;
  CREATE INDEX kb_articles_by_place ON kb_articles (workspace_id, category_id, position);
  ${['title', 'position', 'view_count', 'helpful_count'].map((name) => sortIndex('kb_articles', name)).join('\n')}
  ${['published_at', 'review_due_at'].map((name) => nullableTimeSortIndexes('kb_articles', name)).join('\n')}
  CREATE INDEX kb_articles_by_tag ON kb_articles USING gin (workspace_id, string_to_array(tags, ',')) WHERE tags <> '';
  CREATE INDEX kb_articles_by_company ON kb_articles USING gin (workspace_id, company_ids) WHERE company_ids <> '{}';
  ${searchView('kb_articles')}
  ${tallied('kb_articles', 'kb_articles', ['status', 'visibility', 'category_id'], { kb_articles_by_category: ['category_id'] })}
`;

const versions = `
  CREATE TABLE kb_article_versions (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    version integer NOT NULL DEFAULT 1,
    article_id bigint NOT NULL,
    number integer NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    excerpt text NOT NULL,
    excerpt_given boolean NOT NULL,
    language text NOT NULL,
    tags text NOT NULL,
    keywords text NOT NULL,
    status text NOT NULL,
    change_note text,
    restored_from integer,
    editor_type text NOT NULL,
    editor_id bigint,
    editor_name text NOT NULL,
    published_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id)
  );
  CREATE UNIQUE INDEX uq_kb_article_versions_number ON kb_article_versions (workspace_id, article_id, number);
  CREATE INDEX kb_article_versions_by_editor ON kb_article_versions (workspace_id, article_id, editor_id, number);
`;

const feedback = `
  CREATE TABLE kb_article_feedback (
    article_id bigint NOT NULL,
    version_number integer,
    helpful boolean NOT NULL,
    deflected boolean NOT NULL DEFAULT false,
    comment text,
    contact_id bigint,
    ticket_id bigint,
    ${resourceColumns}
  );
  ${resourceIndexes('kb_article_feedback')}
  CREATE UNIQUE INDEX uq_kb_article_feedback_contact_id ON kb_article_feedback (workspace_id, article_id, contact_id) WHERE contact_id IS NOT NULL;
  CREATE INDEX kb_article_feedback_by_article ON kb_article_feedback (workspace_id, article_id, created_at, id);
  CREATE INDEX kb_article_feedback_by_article_helpful ON kb_article_feedback (workspace_id, article_id, helpful, created_at, id);
  ${['contact_id', 'ticket_id'].map((name) => filterIndex('kb_article_feedback', name, { partial: true })).join('\n')}
  ${tallied('kb_article_feedback', 'kb_article_feedback', [])}
`;

const links = `
  ${reference('kb_categories', 'parent_id', 'kb_categories', 'restrict')}
  ${reference('kb_articles', 'category_id', 'kb_categories', 'restrict')}
  ${reference('kb_articles', 'author_id', 'users')}
  ${reference('kb_articles', 'translation_of_id', 'kb_articles')}
  ${reference('kb_articles', 'source_ticket_id', 'tickets')}
  ${reference('kb_article_versions', 'article_id', 'kb_articles', 'cascade')}
  ${reference('kb_article_feedback', 'article_id', 'kb_articles', 'cascade')}
  ${reference('kb_article_feedback', 'contact_id', 'contacts')}
  ${reference('kb_article_feedback', 'ticket_id', 'tickets')}
`;

const DEFINER = `SECURITY DEFINER SET search_path = pg_catalog, public`;

/** What every workspace starts with (decision 6). */
const seedCategories = `
  CREATE OR REPLACE FUNCTION seed_kb_categories(p_workspace bigint, p_locale text) RETURNS void LANGUAGE sql ${DEFINER} AS $$
    INSERT INTO public.kb_categories (workspace_id, name, slug, description, icon, position, language) VALUES
      (p_workspace, 'Getting started', 'getting-started', 'First steps for new users.', 'rocket', 1, p_locale),
      (p_workspace, 'How-to guides', 'how-to-guides', 'Step by step to a result.', 'book-open', 2, p_locale),
      (p_workspace, 'Troubleshooting', 'troubleshooting', 'Known problems and their solutions.', 'wrench', 3, p_locale)
  $$
`;

const seedOnCreate = `
  CREATE OR REPLACE FUNCTION create_kb_categories() RETURNS trigger LANGUAGE plpgsql ${DEFINER} AS $$
  BEGIN
    PERFORM public.seed_kb_categories(NEW.id, NEW.locale);
    RETURN NULL;
  END $$
`;
