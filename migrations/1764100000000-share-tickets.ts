import type { MigrationInterface, QueryRunner } from 'typeorm';
import { reference } from './support/v1/resource-table';
import { confine, SYSTEM_ROLE } from './support/v1/row-level-security';

/** Turns that outlive no transaction, attempts in the log of automations, and the first response of calls. */
export class ShareTickets1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(reservations);
    await runner.query(confine('automation_reservations'));
    await runner.query(`ALTER TABLE automation_runs ADD COLUMN attempt integer NOT NULL DEFAULT 1`);
    await runner.query(calls);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE automation_runs DROP COLUMN attempt;
      DROP TABLE automation_reservations;
    `);
  }
}

/** Tickets on their way to somebody, by whose turn it is: see `Turns`. Rows are forgotten after minutes. */
const reservations = `
  CREATE TABLE automation_reservations (
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    ticket_id bigint NOT NULL,
    team_id bigint NOT NULL,
    user_id bigint NOT NULL,
    reserved_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, ticket_id)
  );
  ${reference('automation_reservations', 'ticket_id', 'tickets', 'cascade')}
  CREATE INDEX automation_reservations_by_user ON automation_reservations (workspace_id, user_id);
`;

/** A call is its own first response: the clock of such tickets was met from the beginning, the ticket now says so too. */
const calls = `
  SET LOCAL ROLE ${SYSTEM_ROLE};
  UPDATE tickets SET first_response_at = created_at WHERE channel = 'phone' AND first_response_at IS NULL;
  RESET ROLE;
`;
