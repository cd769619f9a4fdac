import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where a record stood in the system that it came from: an address of the web. */
export class WhereRecordsStood1768810000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE migration_records ADD COLUMN source_url text;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE migration_records DROP COLUMN source_url;`);
  }
}
