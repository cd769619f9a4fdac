import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference, resourceColumns, resourceIndexes } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';

/** Actions on many tickets, and what became of each of them. The counts do not count as versions. */
export class CreateBulkJobs1765230000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE bulk_jobs (
        kind text NOT NULL CONSTRAINT ck_bulk_jobs_kind CHECK (kind IN ('apply', 'undo')),
        status text NOT NULL
          CONSTRAINT ck_bulk_jobs_status CHECK (status IN ('queued', 'running', 'completed', 'cancelled')),
        actions jsonb NOT NULL DEFAULT '[]',
        macro_id bigint,
        macro_name text,
        filter jsonb,
        undoes_id bigint,
        actor jsonb NOT NULL DEFAULT '{}',
        acting jsonb NOT NULL DEFAULT '{}',
        total integer NOT NULL DEFAULT 0,
        done_count integer NOT NULL DEFAULT 0,
        unchanged_count integer NOT NULL DEFAULT 0,
        failed_count integer NOT NULL DEFAULT 0,
        started_at timestamptz(3),
        finished_at timestamptz(3),
        ${resourceColumns}
      ) WITH (fillfactor = 70);
      ${resourceIndexes('bulk_jobs')}
      ${filterIndex('bulk_jobs', 'kind')}
      ${filterIndex('bulk_jobs', 'status')}
      ${filterIndex('bulk_jobs', 'macro_id', { partial: true })}
      CREATE INDEX bulk_jobs_finished ON bulk_jobs (finished_at) WHERE finished_at IS NOT NULL;
      CREATE UNIQUE INDEX uq_bulk_jobs_undoes_id ON bulk_jobs (workspace_id, undoes_id) WHERE undoes_id IS NOT NULL;
      ${reference('bulk_jobs', 'macro_id', 'macros')}
      ${reference('bulk_jobs', 'undoes_id', 'bulk_jobs')}
      CREATE TABLE bulk_job_items (
        workspace_id bigint NOT NULL,
        job_id bigint NOT NULL,
        ticket_id bigint NOT NULL,
        state text NOT NULL DEFAULT 'pending'
          CONSTRAINT ck_bulk_job_items_state CHECK (state IN ('pending', 'done', 'unchanged', 'failed')),
        error text,
        changes jsonb,
        PRIMARY KEY (workspace_id, job_id, ticket_id),
        CONSTRAINT fk_bulk_job_items_job_id FOREIGN KEY (workspace_id, job_id) REFERENCES bulk_jobs (workspace_id, id) ON DELETE CASCADE
      );
      CREATE INDEX bulk_job_items_pending ON bulk_job_items (workspace_id, job_id, ticket_id) WHERE state = 'pending';
      CREATE INDEX bulk_job_items_failed ON bulk_job_items (workspace_id, job_id, ticket_id) WHERE state = 'failed';
    `);
    for (const table of ['bulk_jobs', 'bulk_job_items']) await runner.query(confine(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM work WHERE kind = 'bulk_job'; DROP TABLE bulk_job_items; DROP TABLE bulk_jobs;`);
  }
}
