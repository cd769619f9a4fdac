import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';

/** Teams that were deleted stayed in the lists of what was shared with them. */
export class ListsNameTeamsThatAreThere1768981000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const sharing = ['views', 'macros', 'canned_responses'];
    await runner.query(`SET LOCAL ROLE ${SYSTEM_ROLE}; ${sharing.map(withoutThoseGone).join('')} RESET ROLE`);
  }

  async down(): Promise<void> {
    // What names nothing is missed by nobody.
  }
}

/** Nothing where the area of the table is not installed. */
const withoutThoseGone = (table: string): string => `
  DO $$ BEGIN
    IF to_regclass('${table}') IS NOT NULL THEN
      UPDATE ${table} r SET version = version + 1, team_ids = ARRAY(
        SELECT id FROM unnest(r.team_ids) WITH ORDINALITY AS named (id, place)
        WHERE EXISTS (SELECT FROM teams t WHERE t.workspace_id = r.workspace_id AND t.id = named.id) ORDER BY place
      )
      WHERE EXISTS (
        SELECT FROM unnest(r.team_ids) AS named (id)
        WHERE NOT EXISTS (SELECT FROM teams t WHERE t.workspace_id = r.workspace_id AND t.id = named.id)
      );
    END IF;
  END $$;`;
