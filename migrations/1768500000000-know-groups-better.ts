import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex } from './support/v1/resource-table';

const NAMES = ['scope', 'type'];

/** Groups of directories have a scope and a type, where the directory tells. */
export class KnowGroupsBetter1768500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE directory_groups
        ADD COLUMN scope text CONSTRAINT ck_directory_groups_scope CHECK (scope IN ('domain_local', 'global', 'universal')),
        ADD COLUMN type text CONSTRAINT ck_directory_groups_type CHECK (type IN ('security', 'distribution', 'microsoft_365'));
      ${NAMES.map((name) => filterIndex('directory_groups', name, { partial: true })).join('\n')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE directory_groups DROP COLUMN type, DROP COLUMN scope;`);
  }
}
