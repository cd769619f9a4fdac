import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Migrations update what came in before: what a source said when it was last taken over, and what that has changed here. */
export class UpdateByMigrations1768000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE migration_records
        ADD COLUMN said json,
        ADD COLUMN left_at integer,
        ADD COLUMN changes jsonb,
        DROP CONSTRAINT ck_migration_records_status,
        ADD CONSTRAINT ck_migration_records_status CHECK (status IN ('pending', 'created', 'updated', 'skipped', 'failed', 'rolled_back')) NOT VALID;
      CREATE INDEX migration_records_changed ON migration_records (processed_at) WHERE changes IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE migration_records SET status = 'skipped' WHERE status = 'updated';
      DROP INDEX migration_records_changed;
      ALTER TABLE migration_records
        DROP COLUMN said, DROP COLUMN left_at, DROP COLUMN changes,
        DROP CONSTRAINT ck_migration_records_status,
        ADD CONSTRAINT ck_migration_records_status CHECK (status IN ('pending', 'created', 'skipped', 'failed', 'rolled_back'));
    `);
  }
}
