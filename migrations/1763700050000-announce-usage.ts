import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Remembers which marks of a month's quota were announced, so that each is announced once. */
export class AnnounceUsage1763700050000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE quota_usage ADD COLUMN warned_at timestamptz(3), ADD COLUMN exceeded_at timestamptz(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE quota_usage DROP COLUMN warned_at, DROP COLUMN exceeded_at`);
  }
}
