import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Most changes have one event, by which `audit_logs_by_event` finds them: the index of all events of a change has those of several. Nodes of the
 * release before look for what comes behind others without an index while a roll-out lasts.
 */
export class ChangesOfSeveralEvents1768900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX audit_logs_by_events;
      CREATE INDEX audit_logs_by_events ON audit_logs USING gin (workspace_id, events) WHERE cardinality(events) > 1;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX audit_logs_by_events;
      CREATE INDEX audit_logs_by_events ON audit_logs USING gin (workspace_id, events);
    `);
  }
}
