import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APP_ROLE, confine } from './support/v1/row-level-security';

/** What workspaces look like, and what mails are made of: signatures of teams, layouts in place of ready HTML. */
export class BrandWorkspaces1766200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE workspace_logos (
        workspace_id bigint PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
        content bytea NOT NULL,
        width integer NOT NULL CHECK (width > 0),
        height integer NOT NULL CHECK (height > 0)
      );
      ALTER TABLE workspaces ADD COLUMN logo jsonb;
      GRANT UPDATE (logo) ON workspaces TO ${APP_ROLE};
      ALTER TABLE teams ADD COLUMN signature text;
      ALTER TABLE outgoing_mails ADD COLUMN letter jsonb;
    `);
    await runner.query(confine('workspace_logos'));
  }

  /** Mail that waits loses its layout. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outgoing_mails DROP COLUMN letter;
      ALTER TABLE teams DROP COLUMN signature;
      ALTER TABLE workspaces DROP COLUMN logo;
      DROP TABLE workspace_logos;
    `);
  }
}
