import type { MigrationInterface, QueryRunner } from 'typeorm';
import { resourceColumns, resourceIndexes } from './support/v1/resource-table';
import { confine, systemFunctions } from './support/v1/row-level-security';

/** SLA policies, and the default one that every workspace starts with. */
export class CreateSlaPolicies1763600200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sla_policies (
        name text NOT NULL,
        description text,
        is_active boolean NOT NULL DEFAULT true,
        is_default boolean NOT NULL DEFAULT false,
        position integer NOT NULL DEFAULT 1,
        targets jsonb NOT NULL,
        ${resourceColumns}
      );
      ${resourceIndexes('sla_policies')}
      CREATE UNIQUE INDEX uq_sla_policies_name ON sla_policies (workspace_id, name);
      CREATE UNIQUE INDEX uq_sla_policies_is_default ON sla_policies (workspace_id) WHERE is_default;
    `);
    await runner.query(confine('sla_policies'));
    await runner.query(systemFunctions([standardPolicy]));
    await runner.query(`
      CREATE TRIGGER workspaces_standard_sla AFTER INSERT ON workspaces FOR EACH ROW EXECUTE FUNCTION create_standard_sla_policy();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER workspaces_standard_sla ON workspaces;
      SET LOCAL ROLE helpdesk_system;
      DROP FUNCTION create_standard_sla_policy();
      RESET ROLE;
      DROP TABLE sla_policies;
    `);
  }
}

/** Product reference 3.11: minutes to first response and to resolution, around the clock. */
const standardPolicy = `
  CREATE OR REPLACE FUNCTION create_standard_sla_policy() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  BEGIN
    INSERT INTO sla_policies (workspace_id, name, is_default, targets) VALUES (NEW.id, 'Standard', true, '{
      "urgent": {"first_response_minutes": 60, "resolution_minutes": 240},
      "high": {"first_response_minutes": 240, "resolution_minutes": 480},
      "medium": {"first_response_minutes": 480, "resolution_minutes": 1440},
      "low": {"first_response_minutes": 1440, "resolution_minutes": 4320}
    }');
    RETURN NULL;
  END $$
`;
