import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APP_ROLE } from './support/v1/row-level-security';

/** Workspaces get what every record has, so that `/workspace` reads and changes one as any other record. */
export class WorkspacesAsRecords1765000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces
        ADD COLUMN workspace_id bigint NOT NULL GENERATED ALWAYS AS (id) STORED,
        ADD COLUMN version integer NOT NULL DEFAULT 1,
        ADD COLUMN external_id text,
        ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}';
      GRANT UPDATE (version, external_id, custom_fields) ON workspaces TO ${APP_ROLE};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE workspaces DROP COLUMN workspace_id, DROP COLUMN version, DROP COLUMN external_id, DROP COLUMN custom_fields;
    `);
  }
}
