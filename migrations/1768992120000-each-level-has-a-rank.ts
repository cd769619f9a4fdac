import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The bits of large workspaces are made anew: each level (of status, priority, escalation, rating) has a rank of its own in them. Bounds of levels
 * were chosen by how many have each, and of one that a fifteenth of all have, or fewer, ranks did not tell.
 */
export class EachLevelHasARank1768992120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(madeAnew);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(madeAnew);
  }
}

const madeAnew = 'SELECT text_order_changed()';
