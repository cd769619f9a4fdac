import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchedByIndex, unsearched } from './support/v3/searched-by-index';

/** Records of migrations are searched by words: by what they are known by in the source, and by why they failed. */
export class RecordsOfMigrationsAreSearched1768992020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(searchedByIndex('migration_records', `external_id || ' ' || coalesce(error ->> 'message', '')`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(unsearched('migration_records'));
  }
}
