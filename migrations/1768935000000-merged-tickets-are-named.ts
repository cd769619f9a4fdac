import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';

/** Events of merged tickets held the whole ticket that each was merged into, and who sees the one need not see the other. */
export class MergedTicketsAreNamed1768935000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL ROLE ${SYSTEM_ROLE};
      UPDATE events SET related = (related::jsonb || jsonb_build_object('merged_into',
        jsonb_build_object('id', related #> '{merged_into,id}', 'code', related #> '{merged_into,code}')))::json
      WHERE object = 'ticket' AND related #> '{merged_into,created_at}' IS NOT NULL;
      RESET ROLE;
    `);
  }

  /** What was taken out is not known any more, and nothing asks for it. */
  async down(): Promise<void> {
    // Nothing to set back.
  }
}
