import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the other side calls the parts of a message but the last one: who answers one of them, or reacts to it, means the message. */
export class PartsHaveNames1768991000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE channel_messages ADD COLUMN part_ids text[] NOT NULL DEFAULT '{}';
      CREATE INDEX channel_messages_by_part ON channel_messages USING gin (workspace_id, part_ids) WHERE part_ids <> '{}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE channel_messages DROP COLUMN part_ids`);
  }
}
