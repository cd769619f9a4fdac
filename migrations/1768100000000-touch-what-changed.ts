import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs that read what has changed find what that touches: by keys of names, by managers, and by what is not known yet. */
export class TouchWhatChanged1768100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE directory_users ADD COLUMN name_key text;
      ALTER TABLE directory_groups ADD COLUMN name_key text;
      ALTER TABLE directory_members ADD COLUMN reference_key text;
      ALTER TABLE directory_runs ADD COLUMN compared text;
      CREATE INDEX directory_users_by_name_key ON directory_users (workspace_id, connection_id, name_key) WHERE name_key IS NOT NULL;
      CREATE INDEX directory_users_by_manager ON directory_users (workspace_id, connection_id, manager_guid) WHERE manager_guid IS NOT NULL;
      CREATE INDEX directory_groups_by_name_key ON directory_groups (workspace_id, connection_id, name_key) WHERE name_key IS NOT NULL;
      CREATE INDEX directory_members_unknown ON directory_members (workspace_id, connection_id, reference_key) WHERE reference_key IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX directory_members_unknown, directory_groups_by_name_key, directory_users_by_manager, directory_users_by_name_key;
      ALTER TABLE directory_runs DROP COLUMN compared;
      ALTER TABLE directory_members DROP COLUMN reference_key;
      ALTER TABLE directory_groups DROP COLUMN name_key;
      ALTER TABLE directory_users DROP COLUMN name_key;
    `);
  }
}
