import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What clients of SCIM told can be asked for by any of its values: kept once more as it is compared, in lower case. Null: not yet. */
export class AskScimByValues1768110000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE scim_resources ADD COLUMN folded jsonb;
      CREATE INDEX scim_resources_unfolded ON scim_resources (workspace_id, connection_id, kind) WHERE folded IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE scim_resources DROP COLUMN folded;');
  }
}
