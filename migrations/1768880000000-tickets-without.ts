import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['company_id', 'category_id', 'team_id', 'contact_id', 'requester_email'] as const;

/**
 * Tickets that have no company, category, team, contact or requester, newest first: the indexes by these columns hold those that have one. And
 * tickets are vacuumed sooner, so that their indexes are read without a look at each row.
 */
export class TicketsWithout1768880000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await runner.query(
        `CREATE INDEX tickets_without_${column} ON tickets (workspace_id, created_at, id) WHERE ${column} IS NULL`,
      );
    await runner.query('ALTER TABLE tickets SET (autovacuum_vacuum_scale_factor = 0.02)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tickets RESET (autovacuum_vacuum_scale_factor)');
    await runner.query(`DROP INDEX ${COLUMNS.map((column) => `tickets_without_${column}`).join(', ')}`);
  }
}
