import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tickets that become anonymous some time after closing, logs that workspaces keep for less long, and erasures of no person in particular. */
export class RetainWithoutTexts1767110000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tickets ADD COLUMN anonymised_at timestamptz(3);
      CREATE INDEX tickets_to_anonymise ON tickets (workspace_id, closed_at, id) WHERE status = 'closed' AND anonymised_at IS NULL;
      ALTER TABLE erasures ALTER COLUMN contact_id DROP NOT NULL;
      ALTER TABLE retention_runs
        DROP CONSTRAINT ck_retention_runs_rule,
        ADD CONSTRAINT ck_retention_runs_rule CHECK (rule IN ('tickets', 'anonymise', 'logs')),
        ADD COLUMN erasure_id bigint,
        ADD CONSTRAINT fk_retention_runs_erasure_id FOREIGN KEY (workspace_id, erasure_id) REFERENCES erasures (workspace_id, id) ON DELETE SET NULL (erasure_id);
      CREATE INDEX retention_runs_by_erasure ON retention_runs (workspace_id, erasure_id) WHERE erasure_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM work WHERE kind = 'retention';
      DELETE FROM retention_runs WHERE rule <> 'tickets';
      ALTER TABLE retention_runs
        DROP COLUMN erasure_id,
        DROP CONSTRAINT ck_retention_runs_rule,
        ADD CONSTRAINT ck_retention_runs_rule CHECK (rule IN ('tickets'));
      DELETE FROM erasures WHERE contact_id IS NULL;
      ALTER TABLE erasures ALTER COLUMN contact_id SET NOT NULL;
      DROP INDEX tickets_to_anonymise;
      ALTER TABLE tickets DROP COLUMN anonymised_at;
    `);
  }
}
