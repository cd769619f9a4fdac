import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Migrations read services: their connections, and how far each entity was read, so that a later job asks for what changed since. */
export class ReadServices1767300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE migration_jobs
        ADD COLUMN connection jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN sealed text,
        ADD COLUMN origin text,
        ADD COLUMN since jsonb,
        ADD COLUMN read_from timestamptz(3),
        ADD COLUMN read_until jsonb NOT NULL DEFAULT '{}';
      CREATE INDEX migration_jobs_by_origin ON migration_jobs (workspace_id, source, origin) WHERE origin IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX migration_jobs_by_origin;
      ALTER TABLE migration_jobs DROP COLUMN connection, DROP COLUMN sealed, DROP COLUMN origin, DROP COLUMN since, DROP COLUMN read_from,
        DROP COLUMN read_until;
    `);
  }
}
