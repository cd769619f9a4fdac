import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a record of a source was taken for one that was here before by: its address, or its code. */
export class TakenForTheSame1768811000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE migration_records
        ADD COLUMN matched_by text CONSTRAINT ck_migration_records_matched_by CHECK (matched_by IN ('email', 'code'));
      CREATE INDEX migration_records_matched ON migration_records (workspace_id, job_id, entity, local_id) WHERE matched_by IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX migration_records_matched; ALTER TABLE migration_records DROP COLUMN matched_by;`);
  }
}
