import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, resourceColumns, resourceIndexes } from './support/v1/resource-table';
import { confine, SYSTEM_ROLE } from './support/v1/row-level-security';

/**
 * People who are erased, and which records were theirs: the latter only until it is done. What somebody is known by is sealed, and
 * gone by then, too.
 */
export class CreateErasures1766300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erasures (
        contact_id bigint NOT NULL,
        status text NOT NULL DEFAULT 'queued'
          CONSTRAINT ck_erasures_status CHECK (status IN ('queued', 'running', 'completed')),
        actor jsonb NOT NULL DEFAULT '{}',
        kept_count integer NOT NULL DEFAULT 0,
        pass integer NOT NULL DEFAULT 0,
        stage integer NOT NULL DEFAULT 0,
        stage_count integer NOT NULL DEFAULT 0,
        record_count integer NOT NULL DEFAULT 0,
        change_count integer NOT NULL DEFAULT 0,
        left_count integer NOT NULL DEFAULT 0,
        person text,
        progress jsonb,
        started_at timestamptz(3),
        finished_at timestamptz(3),
        ${resourceColumns}
      ) WITH (fillfactor = 70);
      ${resourceIndexes('erasures')}
      ${filterIndex('erasures', 'status')}
      ${filterIndex('erasures', 'contact_id')}
      CREATE TABLE erased_records (
        workspace_id bigint NOT NULL,
        erasure_id bigint NOT NULL,
        object text NOT NULL,
        record_id bigint NOT NULL,
        PRIMARY KEY (workspace_id, erasure_id, object, record_id),
        CONSTRAINT fk_erased_records_erasure_id FOREIGN KEY (workspace_id, erasure_id) REFERENCES erasures (workspace_id, id) ON DELETE CASCADE
      );
      ALTER TABLE contacts ADD COLUMN erased_at timestamptz(3);
      CREATE UNIQUE INDEX uq_integration_deliveries_uid ON integration_deliveries (workspace_id, uid);
    `);
    for (const table of ['erasures', 'erased_records']) await runner.query(confine(table));
    await runner.query(quoteEvents(true));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(quoteEvents(false));
    await runner.query(`
      DELETE FROM work WHERE kind = 'erasure';
      DROP INDEX uq_integration_deliveries_uid;
      ALTER TABLE contacts DROP COLUMN erased_at;
      DROP TABLE erased_records, erasures;
    `);
  }
}

/** What happened to a quote stays as it was written; who it was, and what they said, may be erased. */
function quoteEvents(mayErase: boolean): string {
  const erasing = `
    IF TG_OP = 'UPDATE' AND current_setting('app.erasing', true) = 'on' THEN RETURN NEW; END IF;`;
  return `
    CREATE OR REPLACE FUNCTION quote_events_are_final() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN RETURN OLD; END IF;${mayErase ? erasing : ''}
      RAISE EXCEPTION 'What happened to a quote cannot be changed.' USING ERRCODE = 'insufficient_privilege';
    END $$;
    ${mayErase ? 'GRANT UPDATE (actor, data) ON quote_events TO' : 'REVOKE UPDATE (actor, data) ON quote_events FROM'} ${SYSTEM_ROLE};
  `;
}
