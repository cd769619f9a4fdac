import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchedByIndex, unsearched } from './support/v3/searched-by-index';

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

/** Rules, policies, endpoints and the like are searched by words, too. */
export class MoreListsAreSearched1768992040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, expression] of Object.entries(TABLES))
      await runner.query(searchedByIndex(table, `${expression} || custom_field_words(custom_fields)`));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TABLES)) await runner.query(unsearched(table));
  }
}
