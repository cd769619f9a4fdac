import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';

const LISTS = ['numbers', 'moments', 'texts'];

/**
 * A column that no ticket of a workspace had a value of was given a bound that is null. Once a ticket had a value, no change of that workspace
 * could be folded any more: nothing is ranked among such bounds.
 */
export class BoundsAreValues1768920000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL ROLE ${SYSTEM_ROLE};
      UPDATE ticket_rank_bounds SET ${LISTS.map((list) => `${list} = array_remove(${list}, NULL)`).join(', ')}
      WHERE ${LISTS.map((list) => `array_position(${list}, NULL) IS NOT NULL`).join(' OR ')};
      RESET ROLE;
      ALTER TABLE ticket_rank_bounds
        ${LISTS.map((list) => `ADD CONSTRAINT ticket_rank_bounds_${list}_are_values CHECK (array_position(${list}, NULL) IS NULL)`).join(', ')};
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ticket_rank_bounds
        ${LISTS.map((list) => `DROP CONSTRAINT ticket_rank_bounds_${list}_are_values`).join(', ')};
    `);
  }
}
