import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofSystem } from './support/v2/search-by-words';

/** Short tables, and what people call their records by. */
const TABLES: Readonly<Record<string, string>> = {
  automations: `name || ' ' || coalesce(description, '')`,
  directory_connections: 'name',
  integrations: 'name',
  mail_templates: `kind || ' ' || subject`,
  migration_jobs: `coalesce(name, '')`,
  report_schedules: 'name',
  sla_policies: `name || ' ' || coalesce(description, '')`,
  stages: 'name',
  webhooks: `coalesce(description, '') || ' ' || url`,
};

/** Rules, policies, endpoints and the like are searched by words, too. No column holds them, which would write each table anew. */
export class MoreListsAreSearched1768992040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, expression] of Object.entries(TABLES)) {
      const line = `words_of(${expression} || custom_field_words(custom_fields))`;
      const terms = `search_terms(workspace_id, ${line}, 0)`;
      await runner.query(`
        CREATE INDEX ${table}_by_word ON ${table} USING gin ((${terms}));
        CREATE VIEW ${table}_search AS
          SELECT *, ${line} AS search_text, ${terms} AS lexemes FROM ${table}
          WHERE workspace_id = (SELECT current_setting('app.workspace_id')::bigint);
        ${ofSystem(`${table}_search`)}
      `);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TABLES))
      await runner.query(`DROP VIEW ${table}_search; DROP INDEX ${table}_by_word;`);
  }
}
