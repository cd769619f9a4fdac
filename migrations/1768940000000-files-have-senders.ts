import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A file that no record has named yet is there for who sent it alone. Of those that are there nobody knows who did. */
export class FilesHaveSenders1768940000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE attachments ADD COLUMN sent_by bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE attachments DROP COLUMN sent_by`);
  }
}
