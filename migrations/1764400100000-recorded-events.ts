import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The events that may be asked for by their id: all of the log, those included that lists hold back until no older transaction
 * is running. Whoever was told of an event may read it at once.
 */
export class RecordedEvents1764400100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE VIEW recorded_events WITH (security_invoker = true) AS
        SELECT *, 1 AS version FROM events WHERE created_at > now() - interval '30 days';
      GRANT SELECT ON recorded_events TO helpdesk_app, helpdesk_system;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW recorded_events');
  }
}
