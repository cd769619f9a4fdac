import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much of a message has left that is longer than its network takes: the next attempt goes on behind that. */
export class MessagesLeaveInParts1768975000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE channel_messages ADD COLUMN parts_sent integer NOT NULL DEFAULT 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE channel_messages DROP COLUMN parts_sent`);
  }
}
