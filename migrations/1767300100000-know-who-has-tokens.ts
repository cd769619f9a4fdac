import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemFunctions } from './support/v1/row-level-security';

/** Requests cannot look into tokens, but whoever takes a user back has to know whether one acts for it: it would act for nobody then, and may do everything. */
export class KnowWhoHasTokens1767300100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([usersWithTokens], ['users_with_tokens(bigint[])']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION users_with_tokens(bigint[])');
  }
}

/** Of these users of the workspace, those that a token acts for. */
const usersWithTokens = `
  CREATE OR REPLACE FUNCTION users_with_tokens(p_user_ids bigint[]) RETURNS SETOF bigint LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT DISTINCT t.user_id FROM tokens t
    WHERE t.workspace_id = current_setting('app.workspace_id')::bigint AND t.user_id = ANY(p_user_ids)
  $$
`;
