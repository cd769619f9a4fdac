import type { MigrationInterface, QueryRunner } from 'typeorm';
import { announceAccess, SYSTEM_ROLE, systemFunctions } from './support/v1/row-level-security';

const OF_USERS = 'UPDATE OF name, email, role, role_id, status, ticket_scope, team_ids OR DELETE';
const OF_ROLES = 'UPDATE OF name, permissions, ticket_scope OR DELETE';

/** What changes of people says whose they are: nodes forget the tokens of that workspace, and not those of all. */
export class PeopleAreAnnouncedByWorkspace1768992001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([announcePeople]));
    await runner.query(`
      ${byWorkspace('users', OF_USERS)}
      ${byWorkspace('roles', OF_ROLES)}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER users_access_changed ON users;
      DROP TRIGGER roles_access_changed ON roles;
      ${announceAccess('users', OF_USERS)}
      ${announceAccess('roles', OF_ROLES)}
      SET LOCAL ROLE ${SYSTEM_ROLE};
      DROP FUNCTION announce_people_changed();
      RESET ROLE;
    `);
  }
}

const announcePeople = `
  CREATE OR REPLACE FUNCTION announce_people_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('access_changed', OLD.workspace_id::text);
    RETURN NULL;
  END $$
`;

/** Told once in a transaction, however many rows. */
const byWorkspace = (table: string, events: string): string => `
  DROP TRIGGER ${table}_access_changed ON ${table};
  CREATE TRIGGER ${table}_access_changed AFTER ${events} ON ${table}
    FOR EACH ROW EXECUTE FUNCTION announce_people_changed();`;
