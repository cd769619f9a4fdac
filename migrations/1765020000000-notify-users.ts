import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What users want to be told by mail. Those that are there already hear of what is assigned to them, and nothing new besides. */
export class NotifyUsers1765020000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD COLUMN notifications jsonb NOT NULL DEFAULT
        '{"assigned": "mail", "replied": "none", "sla": "none", "automations": "mail", "only_mine": true, "quiet_hours": null}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE users DROP COLUMN notifications`);
  }
}
