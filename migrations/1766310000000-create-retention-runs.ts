import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, resourceColumns, resourceIndexes } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';

/** Rules of how long things are kept, as they were carried out; and how tickets are found that were closed long ago. */
export class CreateRetentionRuns1766310000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE retention_runs (
        rule text NOT NULL CONSTRAINT ck_retention_runs_rule CHECK (rule IN ('tickets')),
        days integer NOT NULL,
        status text NOT NULL DEFAULT 'running' CONSTRAINT ck_retention_runs_status CHECK (status IN ('running', 'completed')),
        deleted_count integer NOT NULL DEFAULT 0,
        finished_at timestamptz(3),
        ${resourceColumns}
      );
      ${resourceIndexes('retention_runs')}
      ${filterIndex('retention_runs', 'rule')}
      ${filterIndex('retention_runs', 'status')}
      CREATE UNIQUE INDEX uq_retention_runs_running ON retention_runs (workspace_id, rule) WHERE status = 'running';
      CREATE INDEX tickets_closed ON tickets (workspace_id, closed_at, id) WHERE status = 'closed';
    `);
    await runner.query(confine('retention_runs'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM work WHERE kind = 'retention';
      DROP INDEX tickets_closed;
      DROP TABLE retention_runs;
    `);
  }
}
