import type { MigrationInterface, QueryRunner } from 'typeorm';
import { nullableSortIndexes } from './support/v2/nullable-sort-indexes';

const MOMENTS = ['sla_due_at', 'next_sla_due_at', 'resolved_at', 'last_requester_comment_at'] as const;

/**
 * A new ticket is written into one index of each moment that it may be sorted by, not into two; and the index by policy holds what
 * tells how many there are and which, in no order.
 */
export class OneIndexASort1767001000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const moment of MOMENTS) {
      await runner.query(`
        DROP INDEX tickets_order_${moment}, tickets_order_${moment}_down;
        CREATE INDEX tickets_order_${moment} ON tickets (workspace_id, ${moment}, id);
      `);
    }
    await runner.query(`
      DROP INDEX tickets_by_sla_policy_id;
      CREATE INDEX tickets_by_sla_policy_id ON tickets (workspace_id, sla_policy_id) WHERE sla_policy_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const moment of MOMENTS)
      await runner.query(
        `DROP INDEX tickets_order_${moment}; ${nullableSortIndexes('tickets', moment, 'timestamptz')}`,
      );
    await runner.query(`
      DROP INDEX tickets_by_sla_policy_id;
      CREATE INDEX tickets_by_sla_policy_id ON tickets (workspace_id, sla_policy_id, created_at, id) WHERE sla_policy_id IS NOT NULL;
    `);
  }
}
