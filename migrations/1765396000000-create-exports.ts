import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, resourceColumns, resourceIndexes } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';

/** Archives of everything that a workspace has, and the parts that each consists of; what the parts hold is where files are kept. */
export class CreateExports1765396000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE exports (
        status text NOT NULL DEFAULT 'queued'
          CONSTRAINT ck_exports_status CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'expired')),
        resources text[] NOT NULL DEFAULT '{}',
        with_files boolean NOT NULL DEFAULT true,
        error text,
        started_at timestamptz(3),
        completed_at timestamptz(3),
        expires_at timestamptz(3),
        steps integer NOT NULL DEFAULT 1,
        place integer NOT NULL DEFAULT 0,
        after_id bigint NOT NULL DEFAULT 0,
        parts integer NOT NULL DEFAULT 0,
        bytes bigint NOT NULL DEFAULT 0,
        records bigint NOT NULL DEFAULT 0,
        contents jsonb NOT NULL DEFAULT '{}',
        touched_at timestamptz(3) NOT NULL DEFAULT now(),
        ${resourceColumns}
      );
      ${resourceIndexes('exports')}
      ${filterIndex('exports', 'status')}
      CREATE INDEX exports_to_expire ON exports (expires_at) WHERE status = 'completed';
      CREATE INDEX exports_under_way ON exports (touched_at) WHERE status IN ('queued', 'running');
      CREATE TABLE export_parts (
        workspace_id bigint NOT NULL,
        export_id bigint NOT NULL,
        number integer NOT NULL,
        storage_key text COLLATE "C" NOT NULL,
        bytes bigint NOT NULL,
        checksums_sha256 text NOT NULL,
        PRIMARY KEY (workspace_id, export_id, number),
        CONSTRAINT fk_export_parts_export_id FOREIGN KEY (workspace_id, export_id) REFERENCES exports (workspace_id, id) ON DELETE CASCADE
      );
      CREATE INDEX export_parts_by_storage_key ON export_parts (storage_key);
    `);
    for (const table of ['exports', 'export_parts']) await runner.query(confine(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM work WHERE kind = 'export'; DROP TABLE export_parts; DROP TABLE exports;`);
  }
}
