import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';
import { searchableByWords } from './support/v2/search-by-words';

/** Business hours and holidays under a name, which SLA policies may follow. */
export class CreateSchedules1765010000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE schedules (
        name text NOT NULL,
        description text,
        timezone text NOT NULL,
        weekly jsonb NOT NULL,
        holidays jsonb NOT NULL DEFAULT '[]',
        is_default boolean NOT NULL DEFAULT false,
        ${resourceColumns}
      );
      ${resourceIndexes('schedules')}
      CREATE UNIQUE INDEX uq_schedules_name ON schedules (workspace_id, name);
      CREATE UNIQUE INDEX uq_schedules_is_default ON schedules (workspace_id) WHERE is_default;
      ${sortIndex('schedules', 'name')}
      ${filterIndex('schedules', 'timezone')}
      ${filterIndex('schedules', 'is_default')}
      ${searchableByWords('schedules', `name || ' ' || coalesce(description, '')`)}
      ALTER TABLE sla_policies ADD COLUMN schedule_id bigint;
      ${reference('sla_policies', 'schedule_id', 'schedules', 'restrict')}
      ${filterIndex('sla_policies', 'schedule_id', { partial: true })}
    `);
    await runner.query(confine('schedules'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sla_policies DROP COLUMN schedule_id;
      DROP VIEW schedules_search;
      DROP TABLE schedules;
    `);
  }
}
