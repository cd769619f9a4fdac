import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofSystem } from './support/v2/search-by-words';

/** The words of a record: what it is known by in the source, and why it failed. Not a column, which would write the whole table anew. */
const LINE = `words_of(external_id || ' ' || coalesce(error ->> 'message', ''))`;
const TERMS = `search_terms(workspace_id, ${LINE}, 0)`;

/** Records of migrations are searched by words. */
export class RecordsOfMigrationsAreSearched1768992020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX migration_records_by_word ON migration_records USING gin ((${TERMS}));
      CREATE VIEW migration_records_search AS
        SELECT *, ${LINE} AS search_text, ${TERMS} AS lexemes FROM migration_records
        WHERE workspace_id = (SELECT current_setting('app.workspace_id')::bigint);
      ${ofSystem('migration_records_search')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW migration_records_search; DROP INDEX migration_records_by_word;`);
  }
}
