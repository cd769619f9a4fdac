import type { MigrationInterface, QueryRunner } from 'typeorm';
import { reference } from './support/v1/resource-table';

/** References between areas whose tables are made side by side: table, column, target. */
const links: readonly (readonly [table: string, column: string, target: string])[] = [
  ['meetings', 'lead_id', 'leads'],
  ['meetings', 'deal_id', 'deals'],
];

/** The areas' records name each other. */
export class LinkAreas1763800900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column, target] of links) await runner.query(reference(table, column, target));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of links) {
      await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT fk_${table}_${column}`);
    }
  }
}
