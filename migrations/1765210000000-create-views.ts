import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';
import { searchableByWords } from './support/v2/search-by-words';
import { sharedColumns } from './support/v2/shared-records';

/** Lists that people saved. */
export class CreateViews1765210000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE views (
        name text NOT NULL,
        description text,
        resource text NOT NULL DEFAULT 'tickets',
        filters jsonb NOT NULL DEFAULT '{}',
        sort text,
        columns text[] NOT NULL DEFAULT '{}',
        position integer NOT NULL DEFAULT 1,
        ${sharedColumns('views')},
        ${resourceColumns}
      );
      ${resourceIndexes('views')}
      ${sortIndex('views', 'name')}
      ${sortIndex('views', 'position')}
      ${filterIndex('views', 'resource')}
      ${filterIndex('views', 'sharing')}
      ${filterIndex('views', 'owner_id', { partial: true })}
      CREATE INDEX views_by_team ON views USING gin (workspace_id, team_ids) WITH (fastupdate = off);
      ${reference('views', 'owner_id', 'users')}
      ${searchableByWords('views', `name || ' ' || coalesce(description, '')`)}
    `);
    await runner.query(confine('views'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP VIEW views_search; DROP TABLE views;`);
  }
}
