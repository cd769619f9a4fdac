import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';
import { searchableByWords } from './support/v2/search-by-words';
import { sharedColumns } from './support/v2/shared-records';

/** Actions that people apply to tickets. use_count and last_used_at do not count as versions. */
export class CreateMacros1765220000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE macros (
        name text NOT NULL,
        description text,
        is_active boolean NOT NULL DEFAULT true,
        actions jsonb NOT NULL,
        position integer NOT NULL DEFAULT 1,
        use_count bigint NOT NULL DEFAULT 0,
        last_used_at timestamptz(3),
        ${sharedColumns('macros')},
        ${resourceColumns}
      ) WITH (fillfactor = 90);
      ${resourceIndexes('macros')}
      ${sortIndex('macros', 'name')}
      ${sortIndex('macros', 'position')}
      ${sortIndex('macros', 'use_count')}
      ${filterIndex('macros', 'is_active')}
      ${filterIndex('macros', 'sharing')}
      ${filterIndex('macros', 'owner_id', { partial: true })}
      CREATE INDEX macros_by_team ON macros USING gin (workspace_id, team_ids) WITH (fastupdate = off);
      ${reference('macros', 'owner_id', 'users')}
      ${searchableByWords('macros', `name || ' ' || coalesce(description, '')`)}
    `);
    await runner.query(confine('macros'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW macros_search; DROP TABLE macros;`);
  }
}
